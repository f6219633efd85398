import { declaredVersions } from '../read/old-versions.ts';
import { RELEASED } from '../sdl/read-sdl.ts';
import { rule } from './rule.ts';

export const versionRules = [
  rule({
    id: 'version-released',
    summary: 'Old versions in `x-versions` were released.',
    advice: 'The server uses the recorded release: `released/v1/openapi.json`.',
    each: ({ document }) => Object.keys(declaredVersions(document)),
    check: (name, { document, source }) =>
      !source.versions?.has(name) && {
        message: `The version \`${name}\` was never released: there is no \`${RELEASED}/${name}/openapi.json\`.`,
        hint: 'Name a version that `npm run release` has recorded, or remove it.',
        node: Object(document.info['x-versions']),
        key: name,
      },
  }),
];
