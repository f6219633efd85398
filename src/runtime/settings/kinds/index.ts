export { databaseUrl, httpUrl, postgresUrl, type SettingKind } from './setting-kinds.ts';
