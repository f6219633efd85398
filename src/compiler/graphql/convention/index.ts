export { type ContractSide, draftOf, filteredOf, isRestOnly, listsOf, resourceAbove } from './contract-side.ts';
export {
  type Definition,
  type Member,
  nameIn,
  printArgument,
  printDefinition,
  printMember,
  printOnOneLine,
} from './definition.ts';
export { whyNoField } from './derive-custom.ts';
export { PAGE_INFO } from './derive-list.ts';
export { reverseConnections } from './derive-relations.ts';
export { deriveSdl } from './derive-sdl.ts';
export { accessOf, authText, directiveOf, isDeliberate, isRestAbsent, securityOf } from './directives.ts';
export { unpairedTypes } from './further-fields.ts';
export { ancestorParameters, batchTypeName, furtherFieldName, schemaOfInput, sortName } from './names.ts';
export { isLeftover } from './object-members.ts';
export { type SdlFacts, sdlFacts } from './sdl-facts.ts';
export { inlineObject } from './type-text.ts';
export { wordsOf } from './words.ts';
