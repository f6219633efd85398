export { isNode, type Kind, type Node, nodesBelow } from './grammar.ts';
export { parseFile } from './parse-file.ts';
export { ENTRIES, entryOf, HOW_TO_NAME_A_CONTRACT, hasContract, readContract } from './read-contract.ts';
export { SourceMap } from './source-map.ts';
