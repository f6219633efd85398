export { contentOf, lazySite, type MakeContent, type Site, type SiteContent, type SiteFiles } from './site.ts';
