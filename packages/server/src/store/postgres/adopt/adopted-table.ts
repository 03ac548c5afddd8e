/** What is added to a table that was there before, and taken away again: its form is left as it is. */
import type { NounSchema } from '../../schema.ts'
import { quoted } from '../postgres-name.ts'
import { createTallies, dropTallies } from '../postgres-tally.ts'

/**
 * The version of each record, which PostgreSQL adds without writing a row, a trigger that raises it whoever changes the
 * record, and the tallies, counted once.
 */
export function adoptNoun(noun: NounSchema): readonly string[] {
  const [table, name] = [quoted(noun.name), quoted(versionTrigger(noun.name))]
  return [
    `alter table ${table} add column "_version" integer not null default 1`,
    `create function ${name}() returns trigger language plpgsql as $$
begin
  new."_version" := old."_version" + 1;
  return new;
end $$`,
    // Nomen's own changes raise it themselves.
    `create trigger ${name} before update on ${table} for each row when (new."_version" = old."_version") execute function ${name}()`,
    ...createTallies(noun),
  ]
}

export function releaseNoun(noun: NounSchema): readonly string[] {
  return [
    ...dropTallies(noun),
    `drop function ${quoted(versionTrigger(noun.name))} cascade`,
    `alter table ${quoted(noun.name)} drop column "_version"`,
  ]
}

function versionTrigger(table: string): string {
  return `_version_${table}_on_update`
}
