export { countSentence } from './count-descriptions.ts';
export { GENERATOR, isGenerated } from './generated-folder.ts';
export { CONSUMERS, RELEASED, readSdl } from './read-sdl.ts';
export { SCALAR_SCHEMAS } from './scalar-schemas.ts';
