import { randomBytes } from 'node:crypto';
import { administer } from '../../src/tools/postgres-database.ts';
import { makeDatabase, SERVER } from './postgres.ts';

/** A database whose tables belong to a role that is not a superuser; its URL as that role and as the superuser. */
export async function ownedDatabase() {
  const { url: admin, drop } = await makeDatabase();
  const role = `lockstep_rls_${randomBytes(6).toString('hex')}`;
  await administer(admin, `create role ${role} login password 'secret' nosuperuser`);
  await administer(admin, `grant all on schema public to ${role}`);
  await administer(
    admin,
    `do $$ begin execute format('grant create on database %I to ${role}', current_database()); end $$`,
  );
  const url = new URL(admin);
  url.username = role;
  url.password = 'secret';
  const end = async () => {
    await administer(admin, `drop owned by ${role}`);
    await drop();
    await administer(SERVER, `drop role ${role}`);
  };
  return { admin, role, url: url.href, end };
}
