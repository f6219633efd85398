// What a server of development prints and fills in. Its packages are optional: an installation may serve without them.
export { banner } from '../start/banner.ts';
export { graphiqlHeaders, readyTokens, siteCaller } from '../start/ready-tokens.ts';
export { claimsOfTenant } from './tenant-rows.ts';
