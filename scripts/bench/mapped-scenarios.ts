import { head } from './request-text.ts';
import { type Material, productAt, type Scenario } from './scenario.ts';

const path = ({ base }: Material, rest: string): string => `${base}/films${rest}`;

/** Reads of a table, whoever has made it. */
export const mappedScenarios: readonly Scenario[] = [
  {
    name: 'get of a film',
    status: 200,
    request: (material, i) => head('GET', path(material, `/${productAt(material, i).id}`)),
  },
  { name: 'list of 20 films', status: 200, request: (material) => head('GET', path(material, '?limit=20')) },
];

/** The first page of a large table and its last, of as many rows. */
export const mappedPages: readonly Scenario[] = [
  { name: 'first page of films', status: 200, request: (material) => head('GET', path(material, '?limit=100')) },
  {
    name: 'last page of films',
    status: 200,
    request: (material) => head('GET', `${path(material, '?limit=100&cursor=')}${material.deepPage}`),
  },
];
