import { settingsTable } from '../src/settings-table.ts';

console.log(settingsTable());
