export { installedPath, LIBRARIES, type Library, licencesOf } from './libraries.ts';
