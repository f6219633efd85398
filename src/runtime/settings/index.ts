export { type Config, databaseWishes, readConfig, scratchLayout } from './config.ts';
export { PRODUCTION_REQUESTS_PER_MINUTE, settings } from './settings.ts';
export { settingsTable } from './settings-table.ts';
