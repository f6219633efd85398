import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { CommandFailure } from '../tools/command-failure.ts';
import { shellText } from '../tools/shell-text.ts';
import { isYarnClassic, type PackageManager, packageManagerOf, scriptWith } from './scaffold/package-manager.ts';

export interface NewCiOptions {
  /** Folder of the contract. */
  readonly contracts: string;
  /** Folder of what is generated from it. */
  readonly out: string;
}

const WORKFLOW = '.github/workflows/contract.yml';

/** Writes the workflow of GitHub that judges pull requests into the repository of a project's folder; resolves with its path. */
export async function newCi(folder: string, options: NewCiOptions): Promise<string> {
  const top = repositoryOf(resolve(folder));
  const path = join(top, WORKFLOW);
  if (existsSync(path)) throw new CommandFailure(`${path} exists already. Nothing was written.`);
  const place = relative(top, resolve(folder)).replaceAll('\\', '/');
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, workflow(place, options, installerOf(folder)), { flag: 'wx' });
  return path;
}

/** The package manager of a project, as far as its commands differ. */
export function installerOf(folder: string): Installer {
  const manager = packageManagerOf(folder);
  return manager === 'yarn' && isYarnClassic(resolve(folder)) ? 'yarn 1' : manager;
}

function repositoryOf(folder: string): string {
  if (existsSync(join(folder, '.git'))) return folder;
  const parent = dirname(folder);
  if (parent !== folder) return repositoryOf(parent);
  throw new CommandFailure('This folder is not in a repository of git. Nothing was written.');
}

type Installer = PackageManager | 'yarn 1';

/** The commands that install what a lock file says. */
export const INSTALLS: Readonly<Record<Installer, readonly string[]>> = {
  npm: ['npm ci'],
  pnpm: ['corepack enable', 'pnpm install --frozen-lockfile'],
  yarn: ['corepack enable', 'yarn install --immutable'],
  'yarn 1': ['corepack enable', 'yarn install --frozen-lockfile'],
  bun: ['npm install --global bun', 'bun install --frozen-lockfile'],
};

/** A word for the shell. */

/** A text that stands for itself in what sed puts into the place of a match. */
const replacement = (text: string): string => text.replace(/[\\&|]/g, '\\$&');

function workflow(place: string, { contracts, out }: NewCiOptions, installer: Installer): string {
  const flags = [
    ...(contracts === 'contracts' ? [] : ['--contracts', contracts]),
    ...(out === 'generated' ? [] : ['--out', out]),
  ];
  const manager = installer === 'yarn 1' ? 'yarn' : installer;
  // Later versions of Yarn say nothing of their own anyway.
  const script = scriptWith(manager, 'contract').replace('run', installer === 'yarn' ? 'run' : 'run --silent');
  const gate = [script, ...flags.map(shellText), '--against "refs/remotes/origin/$GITHUB_BASE_REF"'].join(' ');
  const [sarif, markdown] = ['"$RUNNER_TEMP/contract.sarif"', '"$RUNNER_TEMP/contract.md"'];
  // The reports name places in the folder of the project; code scanning and the comment are of the whole repository.
  const rooting = (before: string, path: string, file: string): string =>
    place === '' ? '' : `\n          sed -i ${shellText(`${before}|&${replacement(path)}/|`)} ${file}`;
  const rooted = rooting('s|"uri": "', encodeURI(place).replace(/[&#?]/g, encodeURIComponent), sarif);
  const marked = rooting('1s|^<!-- lockstep contract ', place.replaceAll('--', '- -'), markdown);
  const whole = `contract ${place === '' ? '' : `${place}/`}${contracts}`;
  const install = INSTALLS[installer].map((command) => `      - run: ${command}\n`).join('');
  return `# Judges what a pull request changes of the contract, and keeps one comment about it.
name: Contract
on: pull_request

permissions: {}

concurrency:
  group: ${JSON.stringify(`${whole} \${{ github.event.pull_request.number }}`)}
  cancel-in-progress: true

jobs:
  # Runs code of the pull request, and so may only read.
  gate:
    runs-on: ubuntu-latest
    timeout-minutes: 15
    permissions:
      contents: read
    defaults:
      run:
        working-directory: ${JSON.stringify(place || '.')}
    steps:
      - uses: actions/checkout@v4
        with:
          # The merge base is read out of the history.
          fetch-depth: 0
          persist-credentials: false
      - uses: actions/setup-node@v4
        with:
          node-version: 24
${install}      - run: |
          ${gate} --format sarif > ${sarif} || true${rooted}
          ${gate} --format markdown > ${markdown} || code=$?${marked}
          cat ${markdown} >> "$GITHUB_STEP_SUMMARY"
          exit "\${code:-0}"
      - if: \${{ !cancelled() }}
        uses: actions/upload-artifact@v4
        with:
          name: contract
          path: \${{ runner.temp }}/contract.*

  # Runs nothing of the pull request. The token of a fork may only read: its contributors find the report in the summary of the run.
  report:
    needs: gate
    if: \${{ !cancelled() && github.event.pull_request.head.repo.full_name == github.repository }}
    runs-on: ubuntu-latest
    timeout-minutes: 5
    permissions:
      actions: read
      contents: read
      pull-requests: write
      security-events: write
    steps:
      - uses: actions/checkout@v4
        with:
          persist-credentials: false
      # Beside the checkout, whose files could have the same names.
      - uses: actions/download-artifact@v4
        with:
          name: contract
          path: \${{ runner.temp }}/report
      - uses: actions/github-script@v7
        with:
          script: |
            const body = require('fs').readFileSync(process.env.RUNNER_TEMP + '/report/contract.md', 'utf8');
            const [marker] = body.split('\\n');
            if (!marker.startsWith('<!-- lockstep contract ')) throw new Error('The check has not written a report.');
            const issue = { ...context.repo, issue_number: context.issue.number };
            const comments = await github.paginate(github.rest.issues.listComments, issue);
            const isOurs = (one) => one.performed_via_github_app?.slug === 'github-actions' && one.body?.startsWith(marker);
            const own = comments.find(isOurs);
            if (own) await github.rest.issues.updateComment({ ...context.repo, comment_id: own.id, body });
            else await github.rest.issues.createComment({ ...issue, body });
      # Private repositories have code scanning only with GitHub Code Security.
      - uses: github/codeql-action/upload-sarif@v3
        continue-on-error: true
        with:
          sarif_file: \${{ runner.temp }}/report/contract.sarif
          category: ${JSON.stringify(whole)}
`;
}
