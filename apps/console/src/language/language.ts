/** The language of the page: chosen by hand and kept, or else by the languages of the browser. */
import { Listeners } from '../listeners.ts'
import { english, type Messages } from './english/english.ts'
import { type Format, formatFor } from './format.ts'

/** The languages with their names in themselves. A new one needs a folder with all messages and a line in `loaders`. */
export const languageNames = { en: 'English', de: 'Deutsch' } as const

export type Language = keyof typeof languageNames

type Translation = (format: Format) => Messages

/** English is part of the first view. The page loads other languages only for those who read them. */
const loaders: { readonly [Code in Language]: () => Promise<Translation> } = {
  en: async () => english,
  de: async () => (await import('./german/german.ts')).german,
}

interface Current {
  readonly language: Language
  readonly format: Format
  readonly messages: Messages
}

const storageKey = 'console.language'
const listeners = new Listeners()
let current = currentFor('en', english)

/** All texts of the page in its language. */
export function text(): Messages {
  return current.messages
}

/** Formats numbers and dates by the locale of the page. */
export function format(): Format {
  return current.format
}

/** Loads the language of this reader, before the page is drawn. */
export async function loadLanguage(): Promise<void> {
  await show(storedLanguage() ?? preferredLanguage(navigator.languages))
}

/** Shows the page in this language, now and at the next visit. */
export async function chooseLanguage(language: Language): Promise<void> {
  try {
    localStorage.setItem(storageKey, language)
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
  await show(language)
}

export function currentLanguage(): Language {
  return current.language
}

/** Calls the listener after each change of the language, until the returned function is called. */
export const onLanguageChange = listeners.subscribe

/** The first language of the reader that the console has (default: English). */
export function preferredLanguage(tags: readonly string[]): Language {
  return tags.map(baseOf).find(isLanguage) ?? 'en'
}

/** The reader's own variant of a language, such as `de-AT`, or else the language itself. */
export function localeOf(language: Language, tags: readonly string[]): string {
  return tags.find((tag) => baseOf(tag) === language) ?? language
}

async function show(language: Language): Promise<void> {
  try {
    current = currentFor(language, await loaders[language]())
  } catch {
    // The file of the language cannot be loaded: the page stays in the language that it has.
  }
  listeners.notify()
}

function currentFor(language: Language, translation: Translation): Current {
  const format = formatFor(localeOf(language, globalThis.navigator?.languages ?? []))
  return { language, format, messages: translation(format) }
}

function storedLanguage(): Language | undefined {
  try {
    const stored = localStorage.getItem(storageKey) ?? ''
    return isLanguage(stored) ? stored : undefined
  } catch {
    return undefined
  }
}

function baseOf(tag: string): string {
  return tag.split('-', 1)[0]?.toLowerCase() ?? ''
}

function isLanguage(text: string): text is Language {
  return Object.hasOwn(languageNames, text)
}
