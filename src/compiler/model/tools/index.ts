export { describeTools, published, tokensOf } from './describe-tools.ts';
export { hindrance, offerOf, ownOffer } from './offers.ts';
