import { declaredVersions } from '../read/old-versions.ts';
import { RELEASED } from '../sdl/read-sdl.ts';
import type { Check } from './rule.ts';

/** Old versions in `x-versions` have been released, because the release is what is served. */
export const versionReleased: Check = function* ({ document, source }) {
  for (const name of Object.keys(declaredVersions(document))) {
    if (source.versions?.has(name)) continue;
    yield {
      severity: 'error',
      message: `The version \`${name}\` was never released: there is no \`${RELEASED}/${name}/openapi.json\`.`,
      hint: 'Name a version that `npm run release` has recorded, or remove it.',
      node: document.info['x-versions'] as object,
      key: name,
    };
  }
};
