/** Custom operations in German. */
import type { Messages } from '../english/english.ts'
import type { Format } from '../format.ts'

export function actionMessages({ number }: Format): Messages['action'] {
  return {
    deprecated: 'Veraltet',
    done: (title) => `${title}: erledigt.`,
    empty: 'Die Antwort ist leer.',
    foreignBody: (mediaType) =>
      `Diese Operation erwartet ${mediaType}, die Konsole sendet aber nur JSON. Verwenden Sie einen anderen Client.`,
    note: 'Operationen des Dienstes, die zu keiner Liste und keinem Datensatz gehören.',
    of: (title, name, isQuestion) => `${title}: „${name}“${isQuestion ? '?' : ''}`,
    openOperation: (title) => `${title} öffnen`,
    records: 'Datensätze der Antwort',
    response: 'Antwort',
    runAgain: 'Erneut ausführen',
    truncated: (shown, all) => `Die ersten ${number(shown)} von ${number(all)}. Der Bereich „Anfragen“ zeigt alle.`,
  }
}
