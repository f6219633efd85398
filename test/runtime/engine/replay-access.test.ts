import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { type Json, librarian, loansAdmin, member, newBook, newLoan, otherMember } from '../../support/library.ts';
import { type Service, startService } from '../../support/service.ts';

const CREATE_LOAN = 'mutation ($input: LoanInput!) { createLoan(input: $input) { id memberId } }';
const CREATE_EXTENSION =
  'mutation ($id: ID!, $input: ExtensionInput!) { createExtension(loanId: $id, input: $input) { id } }';
const CREATE_AUTHOR = 'mutation ($input: AuthorInput!) { createAuthor(input: $input) { id } }';

/** The same caller without its scopes. */
const demoted = { ...loansAdmin, scope: '' };

const viaGraphql = async (service: Service, as: object, key: string, document: string, variables: object) => {
  const { data, errors } = await service.graphql(document, { as, variables, headers: { 'idempotency-key': key } });
  return errors ? errors[0]!.extensions.code : (Object.values(data)[0] as Json).id;
};
const viaRest = async (service: Service, as: object, key: string, url: string, body: object) => {
  const reply = await service.request('POST', url, { as, body, headers: { 'idempotency-key': key } });
  return reply.status === 201 ? reply.body.id : reply.body.code;
};

/** Each creates with a key, and answers the id or the code of the error. */
const protocols = [
  {
    protocol: 'REST',
    loan: (service: Service, as: object, key: string, input: object) => viaRest(service, as, key, '/v1/loans', input),
    extension: (service: Service, as: object, key: string, id: string) =>
      viaRest(service, as, key, `/v1/loans/${id}/extensions`, { days: 3 }),
    author: (service: Service, as: object, key: string) => viaRest(service, as, key, '/v1/authors', { name: 'Ada' }),
  },
  {
    protocol: 'GraphQL',
    loan: (service: Service, as: object, key: string, input: object) =>
      viaGraphql(service, as, key, CREATE_LOAN, { input }),
    extension: (service: Service, as: object, key: string, id: string) =>
      viaGraphql(service, as, key, CREATE_EXTENSION, { id, input: { days: 3 } }),
    author: (service: Service, as: object, key: string) =>
      viaGraphql(service, as, key, CREATE_AUTHOR, { input: { name: 'Ada' } }),
  },
];

describe.each(databases)('an answer that was kept on $name', (database) => {
  let service: Service;
  let bookId: string;

  beforeAll(async () => {
    service = await startService('library', database);
    bookId = (await newBook(service)).id;
  });
  afterAll(() => service.close());

  const lent = (values: object = {}) => ({ bookId, dueOn: '2026-03-01', ...values });

  describe.each(protocols)('is asked for over $protocol', ({ protocol, loan, extension, author }) => {
    // Kept over the other protocol: what counts is the caller, not the way.
    const other = protocols.find((one) => one.protocol !== protocol)!;
    const key = (name: string) => `${protocol}-${name}`;

    it('and repeated while the caller has the same access', async () => {
      const input = lent({ memberId: member.sub });
      const id = await other.loan(service, loansAdmin, key('same'), input);
      expect(await loan(service, loansAdmin, key('same'), input)).toBe(id);
    });

    it('and refused to a caller who has lost the scope that it took', async () => {
      await other.author(service, librarian, key('scope'));
      expect(await author(service, { ...librarian, scope: '' }, key('scope'))).toBe('FORBIDDEN');
    });

    it('and refused to a caller whom the owner rule binds by now', async () => {
      const input = lent({ memberId: member.sub });
      await other.loan(service, loansAdmin, key('owner'), input);
      expect(await loan(service, demoted, key('owner'), input)).toBe('FORBIDDEN');
    });

    it('and refused when its row belongs to another by now', async () => {
      const id = await other.loan(service, member, key('given'), lent());
      const body = lent({ memberId: otherMember.sub });
      expect(await service.request('PUT', `/v1/loans/${id}`, { as: loansAdmin, body })).toMatchObject({ status: 200 });
      expect(await loan(service, member, key('given'), lent())).toBe('FORBIDDEN');
    });

    it('and refused when the parent is out of sight by now', async () => {
      const { id } = await newLoan(service, member);
      await other.extension(service, loansAdmin, key('parent'), id);
      expect(await extension(service, demoted, key('parent'), id)).toBe('NOT_FOUND');
    });

    it('and repeated when its row has been deleted', async () => {
      const id = await other.loan(service, member, key('deleted'), lent());
      await service.request('DELETE', `/v1/loans/${id}`, { as: member });
      expect(await loan(service, member, key('deleted'), lent())).toBe(id);
    });
  });
});
