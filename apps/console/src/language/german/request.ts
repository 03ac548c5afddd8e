/** The panel that shows the requests of the page, in German. */
import type { Messages } from '../english/english.ts'
import type { Format } from '../format.ts'

export function requestMessages({ number }: Format): Messages['request'] {
  return {
    body: 'Inhalt',
    clear: 'Leeren',
    client: 'Typisierter Client',
    clientCall: 'Client-Aufruf',
    closeRequests: 'Anfragen schließen',
    copied: 'Kopiert',
    copy: (name) => `${name} kopieren`,
    curl: 'curl',
    curlCommand: 'curl-Befehl',
    edit: 'Bearbeiten',
    editTitle: 'Anfrage bearbeiten',
    filter: 'Anfragen filtern',
    headers: 'Header',
    method: 'Methode',
    milliseconds: (duration) => `${number(duration)} ms`,
    noMatch: 'Keine passenden Anfragen.',
    noRequests: 'Noch keine Anfragen.',
    noStatus: 'keiner',
    pathField: 'Pfad',
    pathHint: 'Beginnen Sie mit einem Schrägstrich, etwa /user?pageSize=5.',
    recent: 'Letzte Anfragen',
    request: 'Anfrage',
    requests: 'Anfragen',
    resend: 'Erneut senden',
    resendTitle: 'Diese Anfrage erneut senden?',
    resendWarning: 'Der Dienst kann Daten erneut ändern.',
    response: 'Antwort',
    responseBody: 'Antworttext',
    status: 'Status',
  }
}
