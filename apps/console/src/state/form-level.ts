/** Where a form is: on the page, or in a record of the drawer. It decides which navigation would lose unsaved input. */
import { createContext, useContext } from 'react'
import { router } from './router.ts'

export interface FormLevel {
  /** 0 is the page, 1 the first record in the drawer. */
  readonly level: number
  /** The path of the record or form, which its unsaved input belongs to. */
  readonly path: string
}

export const FormLevelContext = createContext<FormLevel | undefined>(undefined)

export function useFormLevel(): FormLevel {
  return useContext(FormLevelContext) ?? { level: 0, path: router.address().path }
}
