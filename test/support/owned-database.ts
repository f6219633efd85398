import { administer } from '../../src/tools/postgres-database.ts';
import { makeDatabase, makeRole } from './postgres.ts';

/** A database whose tables belong to a role that is not a superuser; its URL as that role and as the superuser. */
export async function ownedDatabase() {
  const admin = await makeDatabase();
  const { role, password } = await makeRole(admin);
  await administer(admin, `grant all on schema public to ${role}`);
  await administer(
    admin,
    `do $$ begin execute format('grant create on database %I to ${role}', current_database()); end $$`,
  );
  const url = new URL(admin);
  url.username = role;
  url.password = password;
  return { admin, role, url: url.href };
}
