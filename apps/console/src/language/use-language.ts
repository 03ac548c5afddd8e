/** The language of the page as state of a component. */
import { useSyncExternalStore } from 'react'
import { currentLanguage, type Language, onLanguageChange } from './language.ts'

/** The component renders again, with all components below it, when the language changes. */
export function useLanguage(): Language {
  return useSyncExternalStore(onLanguageChange, currentLanguage)
}
