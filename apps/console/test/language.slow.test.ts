// The language of the console in a real browser.
import { expect, it } from 'vitest'
import { english } from '../src/language/english/english.ts'
import { formatFor } from '../src/language/format.ts'
import { german } from '../src/language/german/german.ts'
import { directoryConsole, pollUntil } from './directory-console.ts'
import { type ConsoleView, visit } from './visit.ts'

const { session, view, send, newUser } = directoryConsole()

/** All texts of the page, including those for screen readers. */
const textsOnPage = `[...document.body.querySelectorAll(':not(noscript, script, style)')]
  .flatMap((element) => [
    ...[...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE).map(({ textContent }) => textContent),
    ...['aria-label', 'title', 'placeholder', 'alt'].map((name) => element.getAttribute(name) ?? ''),
  ])
  .map((text) => text.trim())
  .filter((text) => text !== '')`

/** Words of the console that are also in the data of the directory. */
const sharedWords = ['Operations', 'Actions']

/** The English texts of the console as patterns, without those that are the same in German. */
function englishPatterns(): readonly RegExp[] {
  const patterns: RegExp[] = []
  const collect = (texts: object, translations: object) => {
    for (const [key, value] of Object.entries(texts)) {
      const translation = (translations as { [key: string]: unknown })[key]
      if (typeof value === 'object') collect(value, translation as object)
      else {
        const [original, translatedText] = [textOfMessage(value), textOfMessage(translation)]
        const hasWord = original !== undefined && /[a-z]{3}/i.test(original.replace(/ZZ|NaN/g, ''))
        if (hasWord && original !== translatedText && !sharedWords.includes(original))
          patterns.push(patternOf(original))
      }
    }
  }
  collect(english(formatFor('en-US')), german(formatFor('de-DE')))
  return patterns
}

/** The text of a message, with `ZZ` and `NaN` for its placeholders; undefined if a placeholder is a list. */
function textOfMessage(message: unknown): string | undefined {
  if (typeof message !== 'function') return message as string
  try {
    return message(...Array.from({ length: message.length }, () => 'ZZ'))
  } catch {
    return undefined
  }
}

function patternOf(text: string): RegExp {
  const escaped = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replace(/ZZ|NaN/g, '.+')}$`)
}

async function englishTexts({ page }: ConsoleView): Promise<readonly string[]> {
  const patterns = englishPatterns()
  const texts = (await page.evaluate(textsOnPage)) as readonly string[]
  return texts.filter((text) => patterns.some((pattern) => pattern.test(text)))
}

async function expectGerman(page: ConsoleView): Promise<void> {
  expect(await englishTexts(page)).toEqual([])
}

it('knows the English texts that must not be on a German page', async () => {
  await view.open('/user')
  await view.page.getByText(/^1–25 of/).waitFor()
  expect(await englishTexts(view)).toEqual(expect.arrayContaining(['Refresh', 'Search', 'New user', '10 per page']))
})

it('is German for a German browser: labels, numbers, dates and the language of the page', async () => {
  for (let index = 0; index < 1100; index += 50)
    await Promise.all(
      Array.from({ length: 50 }, (_, at) => send('POST', '/department', { name: `Abteilung ${index + at}` })),
    )
  const { id } = await newUser({ phone: '42' })
  const german = await visit(session.browser, view.base, { locale: 'de-DE' })
  const { page } = german
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const field = (title: string) => page.getByLabel(new RegExp(`^${title}( \\*)?$`))

  // The list, with a German number.
  await german.open('/department')
  await page.getByText(/^1–25 von 1\.1\d\d$/).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('de')
  await expectGerman(german)
  await german.expectNoErrors()
  await button('Spalten').click()
  await page.getByLabel('Kompakte Zeilen').waitFor()
  await expectGerman(german)
  await page.keyboard.press('Escape')
  await button('Department anlegen').waitFor()

  // A record, with a German date.
  await german.open(`/user/${id}`)
  await page.getByText('Systemfelder (schreibgeschützt)').waitFor()
  const { created } = await send('GET', `/user/${id}`)
  const day = new Intl.DateTimeFormat('de-DE', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(`${created}`))
  expect(day).toMatch(/^\d\d\.\d\d\.\d{4}$/)
  await page.getByText(day).first().waitFor()
  await field('Phone').fill('43')
  await page.getByText('Nicht gespeichert: Phone').waitFor()
  await expectGerman(german)
  await button('Speichern').click()
  await german.expectMessage('Ada Byron gespeichert.')

  // Creation, with a problem.
  await german.open('/department/~new')
  await page.getByRole('heading', { name: 'Department anlegen' }).waitFor()
  await expectGerman(german)
  await field('Name').fill('Übersee')
  await button('Anlegen').click()
  await german.expectMessage('Übersee angelegt.')

  // Deletion, and its undo.
  await button('Löschen …').click()
  const dialog = page.getByRole('dialog', { name: /^Department „.*“ löschen/ })
  await dialog.getByText('Sie können es rückgängig machen.').waitFor()
  await expectGerman(german)
  await dialog.getByRole('button', { name: 'Löschen' }).click()
  await german.expectMessage('Übersee gelöscht.')
  await button('Rückgängig').click()
  await german.expectMessage(/^Department \d+ wurde wiederhergestellt\./)
  await button('Öffnen').click()
  await page.getByRole('tab', { name: 'Verlauf' }).click()
  await page.getByText('Gelöscht').waitFor()
  await expectGerman(german)

  // The usage of the service.
  await page.getByRole('link', { name: 'Nutzung' }).click()
  await page.getByRole('heading', { name: 'Nutzung' }).waitFor()
  await page
    .getByRole('main')
    .getByText(/Anfragen von \d\d\.\d\d\.\d{4}|noch keine Anfragen|nicht verfügbar/)
    .waitFor()
  await expectGerman(german)

  // The requests of the page.
  await button(/^Anfragen: /).click()
  await page.getByRole('dialog', { name: 'Anfragen' }).getByRole('tab', { name: 'Antwort' }).click()
  await expectGerman(german)
  await german.close()
})

it('can be changed by the user without a loss of input, and is remembered', async () => {
  const translation = await visit(session.browser, view.base, { locale: 'fr-FR' })
  const { page } = translation
  await translation.open('/department/~new')
  await page.getByRole('heading', { name: 'New department' }).waitFor()
  await page.getByLabel(/^Name/).fill('Typed')
  await page.getByRole('button', { name: 'Language: English' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Deutsch' }).click()
  await page.getByRole('heading', { name: 'Department anlegen' }).waitFor()
  expect(await page.getByLabel(/^Name/).inputValue()).toBe('Typed')
  await expectGerman(translation)
  await translation.expectNoErrors()
  await page.getByRole('button', { name: 'Verwerfen' }).click()
  await translation.open('/department')
  await page.getByText(/^1–25 von/).waitFor()
  await pollUntil(() => page.locator('html').getAttribute('lang')).toBe('de')
  await page.getByRole('button', { name: 'Sprache: Deutsch' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'English' }).click()
  await page.getByText(/^1–25 of/).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('en')
  await translation.close()
})
