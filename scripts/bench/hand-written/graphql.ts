import type { FastifyInstance, FastifyRequest } from 'fastify';
import { GraphQLError } from 'graphql';
import mercurius, { type IResolvers, type MercuriusLoaders } from 'mercurius';
import { checkScope, type VerifyToken } from './bearer.ts';
import type { PostgresProductStore, PostgresReviewStore } from './postgres-store.ts';
import { HttpProblem, notFound } from './problem.ts';
import type { Product, ProductPatch, ProductStore } from './product-store.ts';
import type { Review, ReviewStore } from './review-store.ts';

type Products = ProductStore | PostgresProductStore;
type Reviews = ReviewStore | PostgresReviewStore;

const SDL = `
  scalar BigInt
  scalar DateTime
  type Query {
    product(id: ID!): Product
    products(first: Int = 20): ProductConnection!
  }
  type Mutation { updateProduct(id: ID!, input: ProductPatch!, ifVersion: Int): Product! }
  enum ProductStatus { DRAFT ACTIVE ARCHIVED }
  type Product {
    id: ID! version: Int! createdAt: DateTime! updatedAt: DateTime! sku: String! name: String! description: String
    price: Int! currency: String! taxRate: String! stock: Int! tags: [String!]! status: ProductStatus! unitsSold: BigInt!
    reviews(first: Int = 20): ReviewConnection!
  }
  type ProductConnection { nodes: [Product!]! }
  type Review { id: ID! rating: Int! title: String! body: String user: User }
  type ReviewConnection { nodes: [Review!]! }
  type User { id: ID! name: String! email: String! }
  input ProductPatch { name: String description: String price: Int stock: Int }
`;

const MAX_DEPTH = 10;
const MAX_TOKENS = 1_000;

interface Context {
  readonly authorization: string | undefined;
}

/** The products over Mercurius as a good engineer writes them: loaders, one statement a level, JIT, a depth limit. */
export function registerGraphql(
  app: FastifyInstance,
  products: Products,
  reviews: Reviews,
  verifyToken: VerifyToken,
): void {
  const resolvers: IResolvers = {
    Query: {
      product: async (_root, { id }) => {
        const product = await products.get(id);
        if (!product) throw notFound();
        return product;
      },
      products: async (_root, { first }) => {
        if (first < 1 || first > 100) throw new HttpProblem(400, 'VALIDATION_FAILED', 'Validation failed', 'first');
        const options = { conditions: [], values: [], column: 'id', direction: 'asc', after: undefined } as const;
        return { nodes: (await products.list({ ...options, limit: first + 1 })).slice(0, first) };
      },
    },
    Mutation: {
      updateProduct: async (_root, { id, input, ifVersion }, context) => {
        await checkScope((context as unknown as Context).authorization, 'products:write', verifyToken);
        return updated(products, id, input, ifVersion);
      },
    },
  };
  const loaders = {
    Product: {
      reviews: uncached(async (queries) => {
        const { first } = queries[0]!.params as { first: number };
        const byProduct = await reviews.ofEach(
          queries.map(({ obj }) => (obj as Product).id),
          first,
        );
        return queries.map(({ obj }) => ({ nodes: byProduct.get((obj as Product).id) ?? [] }));
      }),
    },
    Review: {
      user: uncached(async (queries, context) => {
        await checkScope((context as unknown as Context).authorization, 'users:admin', verifyToken);
        const users = await reviews.users(queries.map(({ obj }) => (obj as Review).userId));
        return queries.map(({ obj }) => users.get((obj as Review).userId));
      }),
    },
  } as MercuriusLoaders;
  app.register(mercurius, {
    schema: SDL,
    resolvers,
    loaders,
    jit: 1,
    queryDepth: MAX_DEPTH,
    graphql: { parseOptions: { maxTokens: MAX_TOKENS } },
    errorFormatter: (execution, context) => {
      const masked = execution.errors?.map(told) ?? null;
      return mercurius.defaultErrorFormatter({ ...execution, errors: masked }, context);
    },
    context: ({ headers }: FastifyRequest): Context => ({ authorization: headers.authorization }),
  });
}

type Loader = (queries: readonly LoaderQuery[], context: unknown) => Promise<unknown[]>;
interface LoaderQuery {
  readonly obj: unknown;
  readonly params: unknown;
}

/**
 * Mercurius looks cached values up by the JSON of their parents, which costs more than it saves when each is used
 * once.
 */
const uncached = (loader: Loader) => ({ loader, opts: { cache: false } });

/** Expected errors are reported with their code; unexpected ones are masked. */
function told(error: GraphQLError): GraphQLError {
  const { originalError: cause, message, nodes = null, path = null } = error;
  const isOfDocument = !cause || cause instanceof GraphQLError || 'errors' in cause;
  if (isOfDocument) return error;
  if (cause instanceof HttpProblem) return new GraphQLError(message, { nodes, path, extensions: { code: cause.code } });
  return new GraphQLError('The server failed.', { nodes, path, extensions: { code: 'INTERNAL_ERROR' } });
}

async function updated(
  products: Products,
  id: string,
  input: ProductPatch,
  ifVersion: number | undefined,
): Promise<Product> {
  const product = await products.update(id, (current) => {
    if (ifVersion != null && ifVersion !== current.version)
      throw new HttpProblem(412, 'PRECONDITION_FAILED', 'Precondition failed', 'The version is another.');
    return input;
  });
  if (!product) throw notFound();
  return product;
}
