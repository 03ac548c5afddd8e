/** Errors in the input of a custom operation. In a separate file, because the first view does not check patterns. */
import { faultsIn } from '../record/fault.ts'
import type { Values } from '../record/values.ts'
import { type ActionForm, inputKey } from './action.ts'

/** The errors of values that are known before they are sent, by field name. */
export function actionFaults({ inputs }: ActionForm, values: Values): { readonly [name: string]: string } {
  const byName = Object.fromEntries(inputs.map((input) => [input.field.name, values[inputKey(input)]]))
  return faultsIn(
    inputs.map(({ field }) => field),
    byName,
  )
}
