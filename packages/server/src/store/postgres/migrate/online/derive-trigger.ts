/**
 * The trigger that fills search and sort columns which other versions of the service do not write. PostgreSQL folds ASCII
 * strings; columns of other strings are set to null, and the next start or contraction derives them.
 */

import { derivedName } from '../../../migrate/schema/derived-name.ts'
import { type DerivedSchema, derivedSchemas, type NounSchema } from '../../../migrate/schema/schema.ts'
import { identifier } from '../../name.ts'
import { isAscii } from '../derive.ts'

/** Creates the trigger again, because its columns may have changed, or drops it. */
export function deriveTriggerChanges(before: NounSchema, after: NounSchema): readonly string[] {
  const name = identifier(derivedName(['', 'derive', after.name]))
  const drop = `drop function if exists ${name} cascade`
  const derived = derivedSchemas(after)
  const form = (noun: NounSchema) => JSON.stringify([noun.deriveTrigger, derivedSchemas(noun)])
  if (form(before) === form(after)) return []
  if (!after.deriveTrigger || derived.length === 0) return before.deriveTrigger ? [drop] : []
  const table = identifier(after.name)
  return [
    ...(before.deriveTrigger ? [drop] : []),
    // In an earlier version, derived columns were required.
    ...derived
      .filter((column) => derivedSchemas(before).some((old) => old.name === column.name))
      .map(({ name: column }) => `alter table ${table} alter column ${identifier(column)} drop not null`),
    `create function ${name}() returns trigger language plpgsql set search_path from current as $$
begin
${derived.map(derive).join('\n')}
  return new;
end $$`,
    `create trigger ${name} before insert or update on ${table} for each row execute function ${name}()`,
  ]
}

/** A version that writes the derived column changes both columns, or only its source. */
function derive({ name, from, derivation }: DerivedSchema): string {
  const [target, source] = [identifier(name), identifier(from)]
  const folded = `case when ${isAscii(`new.${source}`)} then lower(new.${source}) end`
  const value = derivation.kind === 'sort-key' ? 'null' : folded
  const isOnlySource = `new.${source} is distinct from old.${source} and new.${target} is not distinct from old.${target}`
  const isUnwritten = `(tg_op = 'INSERT' and new.${target} is null)
    or (tg_op = 'UPDATE' and ${isOnlySource})`
  return `  if ${isUnwritten} then
    new.${target} := ${value};
  end if;`
}
