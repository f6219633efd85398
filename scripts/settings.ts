import { settingsTable } from '../src/runtime/settings/settings-table.ts';

console.log(settingsTable());
