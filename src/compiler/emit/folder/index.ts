export { LIBRARY, libraryFor } from './library.ts';
export {
  type Drift,
  driftOf,
  type OutputFiles,
  removeEmptyFolders,
  replaceFile,
  replaceOwn,
  writeOutput,
} from './output-folder.ts';
