/** Cache keys of conditions: statements with the same key differ only in their bound values. */
import type { Value } from '@nomen/core'
import type { Condition, RowFilter } from '../plan.ts'

/** The cache key of a condition: its fields and form, but not its values. */
export function conditionKey(condition: Condition): string {
  const { kind, fields } = condition
  return `;${kind}:${fields.length === 1 ? fields[0] : fields.join()}:${conditionForm(condition)}`
}

/** The cache key of a row filter. */
export function rowFilterKey(rowFilter: RowFilter | undefined): string {
  if (!rowFilter) return ''
  let key = ''
  for (const noun in rowFilter) key += `|${noun}${rowFilter[noun]?.map(conditionKey).join('')}`
  return key
}

function conditionForm(condition: Condition): string {
  if (condition.kind === 'range')
    return `${condition.from !== undefined ? 'f' : ''}${condition.to !== undefined ? 't' : ''}`
  if (condition.kind === 'search') return `${condition.terms.length}`
  if (condition.kind === 'changed-field') return `${condition.names.length}`
  if (condition.kind === 'reference')
    return `${condition.allowsNull ? '0' : ''}(${condition.conditions.map(conditionKey).join('')})`
  if (condition.kind === 'related') {
    const { noun, select, link, conditions } = condition
    return `${noun.name}.${select}${link ? `-${link.name}` : ''}(${conditions.map(conditionKey).join('')})`
  }
  if (condition.kind === 'current-record')
    return `${condition.entryNoun} ${condition.noun.name}(${condition.conditions.map(conditionKey).join('')})`
  if (condition.kind === 'before-or-after')
    return `${condition.noun.name}${condition.range ? '-' : ''}(${condition.conditions.map(conditionKey).join('')})`
  if (condition.kind === 'any')
    return `(${condition.alternatives.map((conditions) => conditions.map(conditionKey).join('')).join('/')})`
  const { values } = condition
  if (!values.includes(null)) return values.length > 1 ? 'n' : `${values.length}`
  const numberPresent = values.filter(isNotNull).length
  return `${numberPresent > 1 ? 'n' : numberPresent}0`
}

export function isNotNull(value: Value): boolean {
  return value !== null
}
