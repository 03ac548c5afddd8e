/** The values that a filter can choose among, with their names. */
import { text } from '../../language/language.ts'
import type { Filter } from '../../model/list/filter.ts'
import { choiceTitle } from '../../model/title.ts'

export interface FilterOption {
  readonly value: string
  readonly label: string
}

/** The choices of a property, or yes and no; none for other values. */
export function optionsOf({ field, exact }: Filter): readonly FilterOption[] {
  if (exact === undefined) return []
  const { optionYes, optionNo } = text().common
  if (field.kind === 'boolean')
    return [
      { value: 'true', label: optionYes },
      { value: 'false', label: optionNo },
    ]
  return field.kind === 'choice'
    ? field.choices.map((choice) => ({ value: `${choice}`, label: choiceTitle(choice, field.choices) }))
    : []
}
