/** The home page in German. */
import type { Messages } from '../english/english.ts'
import type { Format } from '../format.ts'

export function overviewMessages({ number, plural }: Format): Messages['overview'] {
  const requests = (count: number) => `${number(count)} ${plural(count, { one: 'Anfrage', other: 'Anfragen' })}`
  return {
    allChanges: 'Alle Änderungen',
    calledBy: (count, callers) => `${requests(count)} von ${callers.join(', ')}`,
    calls: (count, errors, callers) => `${requests(count)}, ${number(errors)} Fehler, ${number(callers)} Aufrufer`,
    deprecatedCalls: 'Veraltete Endpunkte, die noch genutzt werden',
    errorShare: (errors, all) => `${number(errors)} Fehler bei ${requests(all)}`,
    errors: 'Fehler',
    noCalls: 'Noch hat keine Anwendung den Dienst aufgerufen.',
    noLists: 'Die OpenAPI-Dokumente dieses Dienstes beschreiben keine Listen.',
    period: (days) =>
      `Anfragen ${plural(days, { one: 'des letzten Tages', other: `der letzten ${number(days)} Tage` })}, ohne Anfragen der Konsole.`,
    recentChanges: 'Letzte Änderungen',
  }
}
