/** What is added to a table that was there before, and taken away again: its form is left as it is. */
import type { NounSchema } from '../../migrate/schema.ts'
import { textLiteral } from '../../sql/sql.ts'
import { identifier } from '../name.ts'
import { triggerKinds } from '../tally/name.ts'
import { createTallies, dropTallies } from '../tally/tally.ts'

/**
 * The version of each record, which PostgreSQL adds without writing a row, a trigger that raises it whoever changes the
 * record, and the tallies, counted once.
 */
export function adoptNoun(noun: NounSchema): readonly string[] {
  return [addVersion(noun, 'add column'), ...raiseVersion(noun), ...createTallies(noun)]
}

/** The triggers made anew, and the records counted anew. */
export function renewNoun(noun: NounSchema): readonly string[] {
  return [
    addVersion(noun, 'add column if not exists'),
    ...dropVersionTrigger(noun),
    ...raiseVersion(noun),
    ...dropTallies(noun),
    ...createTallies(noun),
  ]
}

function addVersion({ name }: NounSchema, action: string): string {
  return `alter table ${identifier(name)} ${action} "_version" integer not null default 1`
}

/** Whether everything that was added to the table is still there, as one condition. */
export function isTended(noun: NounSchema): string {
  const names = ['_tally_', '_version_'].map((beginning) => `starts_with(tgname::text, '${beginning}')`).join(' or ')
  const table = `${textLiteral(identifier(noun.name))}::regclass`
  const version = `exists (select from pg_attribute where attrelid = ${table} and attname = '_version')`
  const isFiring = `tgrelid = ${table} and tgenabled in ('O', 'A') and (${names})`
  const triggers = `(select count(*) from pg_trigger where ${isFiring}) = ${1 + triggerKinds(noun).length}`
  return `${version} and ${triggers}`
}

function raiseVersion(noun: NounSchema): readonly string[] {
  const [table, name] = [identifier(noun.name), identifier(versionTrigger(noun.name))]
  return [
    `create function ${name}() returns trigger language plpgsql as $$
begin
  new."_version" := old."_version" + 1;
  return new;
end $$`,
    // Nomen's own changes raise it themselves.
    `create trigger ${name} before update on ${table} for each row ` +
      `when (new."_version" = old."_version") execute function ${name}()`,
  ]
}

function dropVersionTrigger({ name }: NounSchema): readonly string[] {
  return [`drop function if exists ${identifier(versionTrigger(name))} cascade`]
}

export function releaseNoun(noun: NounSchema): readonly string[] {
  return [
    ...dropTallies(noun),
    ...dropVersionTrigger(noun),
    `alter table ${identifier(noun.name)} drop column "_version"`,
  ]
}

function versionTrigger(table: string): string {
  return `_version_${table}_on_update`
}
