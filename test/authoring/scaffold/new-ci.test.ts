import { spawnSync } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { newCi } from '../../../src/authoring/new-ci.ts';
import { runHere } from '../../support/command.ts';
import { withFolder } from '../../support/folder.ts';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

const OPTIONS = { contracts: 'contracts', out: 'generated' };
/** Beside the checkout, in the folder of the runner. */
const RUNNER_REPORT = /^\$\{\{ runner\.temp \}\}\/report/;
const AGAINST = '--against "refs/remotes/origin/$GITHUB_BASE_REF"';

/** An npm that writes either report. */
const BOTH = `#!/bin/sh
for last; do :; done
case "$last" in
  sarif) echo '{"uri": "contracts/openapi.yaml"}' ;;
  *) printf '%s\\n' '<!-- lockstep contract contracts -->' '<!-- lockstep contract contracts -->' ;;
esac
`;

async function workflowIn(folder: string, options = OPTIONS) {
  const path = await newCi(folder, options);
  const text = await readFile(path, 'utf8');
  return { path, text, workflow: parse(text) };
}

test('the workflow runs for pull requests, needs no secrets, and lets code of theirs only read', () =>
  withFolder({ '.git/HEAD': '' }, async (folder) => {
    const { path, text, workflow } = await workflowIn(folder);
    expect(path).toBe(join(folder, '.github/workflows/contract.yml'));
    expect([workflow.on, workflow.permissions, text.includes('secrets')]).toEqual(['pull_request', {}, false]);
    const { gate, report } = workflow.jobs;
    expect(gate.permissions).toEqual({ contents: 'read' });
    expect(gate.steps[0].with).toEqual({ 'fetch-depth': 0, 'persist-credentials': false });
    expect(report.if).toContain('github.event.pull_request.head.repo.full_name == github.repository');
    expect(report.steps.filter(({ run }: Step) => run !== undefined)).toEqual([]);
    const places = report.steps.flatMap(({ with: given }: Step) => [given?.['path'], given?.['sarif_file']]);
    expect(places.filter(Boolean)).toEqual([
      expect.stringMatching(RUNNER_REPORT),
      expect.stringMatching(RUNNER_REPORT),
    ]);
    for (const { uses } of [...gate.steps, ...report.steps].filter((step: Step) => step.uses !== undefined))
      expect(uses).toMatch(/^(?:actions|github)\/[\w/-]+@v\d+$/);
    const [install, check] = gate.steps.flatMap(({ run }: Step) => run ?? []);
    expect(install).toBe('npm ci');
    expect(check).toContain(`npm run --silent contract -- ${AGAINST} --format markdown > `);
    expect(check).toContain(`npm run --silent contract -- ${AGAINST} --format sarif > `);
  }));

test('the step of the gate ends as the gate does, after it has written its summary', () =>
  withFolder(
    { '.git/HEAD': '', 'bin/npm': '#!/bin/sh\nfor last; do :; done\necho "$last"\nexit 1\n' },
    async (folder) => {
      const { workflow } = await workflowIn(folder);
      await chmod(join(folder, 'bin/npm'), 0o755);
      const check = workflow.jobs.gate.steps.flatMap(({ run }: Step) => run ?? [])[1];
      const env = { PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, RUNNER_TEMP: folder, GITHUB_BASE_REF: 'main' };
      const summary = join(folder, 'summary');
      const { status } = spawnSync('bash', ['-e', '-c', check], { env: { ...env, GITHUB_STEP_SUMMARY: summary } });
      expect(status).toBe(1);
      expect(await readFile(summary, 'utf8')).toBe('markdown\n');
      expect(await readFile(join(folder, 'contract.sarif'), 'utf8')).toBe('sarif\n');
    },
  ));

test('a project below the top of its repository has its folder, its manager and its places in it', () =>
  withFolder({ '.git/HEAD': '', 'apps/shop/pnpm-lock.yaml': '' }, async (folder) => {
    const { path, workflow } = await workflowIn(join(folder, 'apps/shop'), { contracts: "my 'api'", out: 'out' });
    expect(path).toBe(join(folder, '.github/workflows/contract.yml'));
    const { defaults, steps } = workflow.jobs.gate;
    expect(defaults.run['working-directory']).toBe('apps/shop');
    const runs = steps.flatMap(({ run }: Step) => run ?? []);
    expect(runs.slice(0, 2)).toEqual(['corepack enable', 'pnpm install --frozen-lockfile']);
    expect(runs[2]).toContain(`pnpm run --silent contract '--contracts' 'my '\\''api'\\''' '--out' 'out' ${AGAINST}`);
    expect(runs[2]).toContain(`sed -i 's|"uri": "|&apps/shop/|'`);
  }));

test('two projects of one repository have comments, runs and results of their own, whatever their folders are called', () =>
  withFolder({ '.git/HEAD': '', 'bin/npm': BOTH, "a & b/it's|#1--x/package-lock.json": '' }, async (folder) => {
    const place = "a & b/it's|#1--x";
    const { workflow } = await workflowIn(join(folder, place));
    const whole = `contract ${place}/contracts`;
    expect(workflow.concurrency.group).toBe(`${whole} \${{ github.event.pull_request.number }}`);
    expect(workflow.jobs.report.steps.at(-1).with.category).toBe(whole);
    await chmod(join(folder, 'bin/npm'), 0o755);
    const check = workflow.jobs.gate.steps.flatMap(({ run }: Step) => run ?? [])[1];
    const env = { PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, RUNNER_TEMP: folder, GITHUB_BASE_REF: 'main' };
    const summary = join(folder, 'summary');
    const { status } = spawnSync('bash', ['-e', '-c', check], {
      env: { ...env, GITHUB_STEP_SUMMARY: summary },
    });
    expect(status).toBe(0);
    expect(await readFile(summary, 'utf8')).toBe(
      "<!-- lockstep contract a & b/it's|#1- -x/contracts -->\n<!-- lockstep contract contracts -->\n",
    );
    const { uri } = JSON.parse((await readFile(join(folder, 'contract.sarif'), 'utf8')).split('\n')[0] ?? '');
    expect(uri).toBe("a%20%26%20b/it's%7C%231--x/contracts/openapi.yaml");
    expect(decodeURIComponent(uri)).toBe(`${place}/contracts/openapi.yaml`);
  }));

test.each([
  ['# yarn lockfile v1\n', 'yarn install --frozen-lockfile', 'yarn run --silent contract --against'],
  ['__metadata:\n  version: 8\n', 'yarn install --immutable', 'yarn run contract --against'],
])('the version of Yarn decides on its flags: %j', (lock, install, script) =>
  withFolder({ '.git/HEAD': '', 'yarn.lock': lock, 'apps/shop/.keep': '' }, async (folder) => {
    const { workflow } = await workflowIn(join(folder, 'apps/shop'));
    const runs = workflow.jobs.gate.steps.flatMap(({ run }: Step) => run ?? []);
    expect(runs.slice(0, 2)).toEqual(['corepack enable', install]);
    expect(runs[2]).toContain(`${script} `);
  }),
);

interface Comment {
  readonly id: number;
  readonly performed_via_github_app: { readonly slug: string } | null;
  body: string;
}

test('one comment is kept up to date, and no comment of others is touched', () =>
  withFolder({ '.git/HEAD': '' }, async (folder) => {
    const { workflow } = await workflowIn(folder);
    const { script } = workflow.jobs.report.steps.find(({ uses }: Step) =>
      uses?.startsWith('actions/github-script'),
    ).with;
    const marker = '<!-- lockstep contract contracts -->';
    const comments: Comment[] = [
      { id: 1, performed_via_github_app: null, body: `${marker}\nForged` },
      { id: 2, performed_via_github_app: { slug: 'github-actions' }, body: 'Of another workflow' },
    ];
    const issues = {
      listComments: 'list',
      createComment: async ({ body }: Comment) =>
        comments.push({ id: comments.length + 1, performed_via_github_app: { slug: 'github-actions' }, body }),
      updateComment: async ({ comment_id: id, body }: Comment & { comment_id: number }) => {
        comments[id - 1]!.body = body;
      },
    };
    const github = { rest: { issues }, paginate: async () => comments };
    const context = { repo: { owner: 'o', repo: 'r' }, issue: { number: 7 } };
    const posted = (body: string) => {
      const run = new Function('github', 'context', 'require', `return (async () => {${script}})()`);
      return run(github, context, () => ({ readFileSync: () => body }));
    };
    await posted(`${marker}\nFirst`);
    await posted(`${marker}\nSecond`);
    expect(comments.map(({ body }) => body)).toEqual([`${marker}\nForged`, 'Of another workflow', `${marker}\nSecond`]);
    await expect(posted('')).rejects.toThrow('The check has not written a report.');
  }));

test('what is there already stays, and there is nothing to write outside of a repository', () =>
  withFolder({ '.git/HEAD': '' }, async (folder) => {
    const { path } = await workflowIn(folder);
    await writeFile(path, 'mine');
    await expect(newCi(folder, OPTIONS)).rejects.toThrow(`${path} exists already. Nothing was written.`);
    expect(await readFile(path, 'utf8')).toBe('mine');
    await expect(newCi('/', OPTIONS)).rejects.toThrow('This folder is not in a repository of git.');
    const { code, stderr } = await runHere('scripts/new.ts', ['ci', 'books']);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('error: ci is of the whole contract, and takes no books'),
    ]);
  }));
