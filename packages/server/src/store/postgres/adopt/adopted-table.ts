/** The column and triggers that Nomen adds to an adopted table, and their removal. Declared columns stay unchanged. */
import type { NounSchema } from '../../migrate/schema/schema.ts'
import { stringLiteral } from '../../sql/sql.ts'
import { identifier } from '../name.ts'
import { triggerKinds } from '../tally/name.ts'
import { createTallies, dropTallies } from '../tally/tally.ts'

/**
 * Adds the version column, which PostgreSQL does without rewriting rows, a trigger that raises it with every update by
 * any program, and the tallies.
 */
export function adoptNoun(noun: NounSchema): readonly string[] {
  return [addVersion(noun, 'add column'), ...createVersionTrigger(noun), ...createTallies(noun)]
}

/** Creates the triggers again, and recounts the records. */
export function recreateTracking(noun: NounSchema): readonly string[] {
  return [
    addVersion(noun, 'add column if not exists'),
    ...dropVersionTrigger(noun),
    ...createVersionTrigger(noun),
    ...dropTallies(noun),
    ...createTallies(noun),
  ]
}

function addVersion({ name }: NounSchema, action: string): string {
  return `alter table ${identifier(name)} ${action} "_version" integer not null default 1`
}

/** A condition: whether everything that Nomen added to the table still exists and is enabled. */
export function isTracked(noun: NounSchema): string {
  const names = ['_tally_', '_version_'].map((beginning) => `starts_with(tgname::text, '${beginning}')`).join(' or ')
  const table = `${stringLiteral(identifier(noun.name))}::regclass`
  const version = `exists (select from pg_attribute where attrelid = ${table} and attname = '_version')`
  const isFiring = `tgrelid = ${table} and tgenabled in ('O', 'A') and (${names})`
  const triggers = `(select count(*) from pg_trigger where ${isFiring}) = ${1 + triggerKinds(noun).length}`
  return `${version} and ${triggers}`
}

function createVersionTrigger(noun: NounSchema): readonly string[] {
  const [table, name] = [identifier(noun.name), identifier(versionTriggerName(noun.name))]
  return [
    `create function ${name}() returns trigger language plpgsql as $$
begin
  new."_version" := old."_version" + 1;
  return new;
end $$`,
    // Nomen's own updates set the version themselves.
    `create trigger ${name} before update on ${table} for each row ` +
      `when (new."_version" = old."_version") execute function ${name}()`,
  ]
}

function dropVersionTrigger({ name }: NounSchema): readonly string[] {
  return [`drop function if exists ${identifier(versionTriggerName(name))} cascade`]
}

export function releaseNoun(noun: NounSchema): readonly string[] {
  return [
    ...dropTallies(noun),
    ...dropVersionTrigger(noun),
    `alter table ${identifier(noun.name)} drop column "_version"`,
  ]
}

function versionTriggerName(table: string): string {
  return `_version_${table}_on_update`
}
