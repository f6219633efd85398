import { bearer, head, JSON_TYPE, PATCH_TYPE, withBody } from './request-text.ts';
import { type Json, type Material, productAt, productPath, type RestCounterpart, type Scenario } from './scenario.ts';

/** The number of products in the nested list, and of reviews of each. */
export const SHELF = { products: 10, reviews: 3 } as const;

const FIELDS = 'id version createdAt updatedAt sku name description price currency stock tags status unitsSold';
const GET = `query($id: ID!) { product(id: $id) { ${FIELDS} } }`;
const LIST = '{ products(first: 20) { nodes { id name } } }';
const NESTED = `query($products: Int, $reviews: Int) {
  products(first: $products) {
    nodes { id name reviews(first: $reviews) { nodes { rating title user { name email } } } }
  }
}`;
const UPDATE = `mutation($id: ID!, $price: Int) { updateProduct(id: $id, input: { price: $price }) { ${FIELDS} } }`;

const price = (i: number): number => 1001 + (i % 9000);

export const graphqlReads: readonly Scenario[] = [
  graphql('GraphQL one', GET, (material, i) => ({ id: productAt(material, i).id }), {
    requests: (material, i) => [head('GET', productPath(material, i))],
    dataOf: ([product]) => ({ product }),
  }),
  graphql('GraphQL list', LIST, () => ({}), {
    requests: ({ base }) => [head('GET', `${base}/products`)],
    dataOf: ([{ data }]) => ({ products: { nodes: data } }),
  }),
  graphql('GraphQL nested', NESTED, () => SHELF, { requests: nestedRequests, dataOf: nestedData }),
];

export const graphqlWrites: readonly Scenario[] = [
  graphql('GraphQL update', UPDATE, (material, i) => ({ id: productAt(material, i).id, price: price(i) }), {
    requests: (material, i) => [
      withBody('PATCH', productPath(material, i), material.token, PATCH_TYPE, { price: price(i) }),
    ],
    dataOf: ([updateProduct]) => ({ updateProduct }),
  }),
];

/** Errors have the same status as success, so the body is checked as well. */
function graphql(
  name: string,
  query: string,
  variables: (material: Material, i: number) => object,
  overRest: Pick<RestCounterpart, 'requests' | 'dataOf'>,
): Scenario {
  return {
    name,
    status: 200,
    isGood: (body) => !body.includes('"errors":'),
    request: (material, i) =>
      withBody('POST', '/graphql', material.token, JSON_TYPE, { query, variables: variables(material, i) }),
    overRest: { ...overRest, answered: ({ data }: Json) => data },
  };
}

/** Requests for the products, for the reviews of each, and for each of their authors once. */
function nestedRequests({ base, token, shelf }: Material): string[] {
  const { productIds, userIds } = shelf!;
  return [
    head('GET', `${base}/products?limit=${SHELF.products}`),
    ...productIds.map((id) => head('GET', `${base}/products/${id}/reviews?limit=${SHELF.reviews}`)),
    ...userIds.map((id) => head('GET', `${base}/users/${id}`, bearer(token))),
  ];
}

function nestedData([page, ...others]: readonly Json[]): object {
  const pages = others.slice(0, page.data.length);
  const users = new Map(others.slice(pages.length).map((user) => [user.id, user]));
  const reviewsOf = (k: number) => pages[k].data.map((review: Json) => ({ ...review, user: users.get(review.userId) }));
  const nodes = page.data.map((product: Json, k: number) => ({ ...product, reviews: { nodes: reviewsOf(k) } }));
  return { products: { nodes } };
}
