export type { SiteCaller } from './console-page.ts';
