/** Webhooks in German. */
import type { Messages } from '../english/english.ts'
import type { Format } from '../format.ts'

export function webhookMessages({ number }: Format): Messages['webhook'] {
  return {
    attempt: 'Versuch',
    copied: 'Kopiert',
    copySecret: 'Geheimnis kopieren',
    delivered: (status, milliseconds) =>
      `Zugestellt: ${[status, `${number(milliseconds)} ms`].filter((part) => part !== undefined).join(', ')}.`,
    duration: 'Dauer',
    event: 'Ereignis',
    isDelivered: 'Zugestellt',
    isFailed: 'Fehlgeschlagen',
    noDeliveries: 'Noch keine Zustellungen. Senden Sie ein Testereignis, um die URL zu prüfen.',
    noResponse: 'Keine Antwort.',
    notDelivered: (error) => `Nicht zugestellt: ${error}`,
    outcome: 'Ergebnis',
    paused: 'Dieser Webhook ist angehalten',
    pausedNote: 'Es werden keine Änderungen gesendet. Danach werden die Änderungen der Zwischenzeit gesendet.',
    response: 'Antwort',
    resume: 'Fortsetzen',
    resumed: 'Webhook fortgesetzt.',
    secretNote: 'Kopieren Sie das Geheimnis jetzt. Der Dienst zeigt es nicht noch einmal.',
    secretTitle: (name) => `Geheimnis von ${name}`,
    sendAgain: 'Erneut senden',
    sendAgainLabel: (change) => `Erneut senden: Änderung ${change}`,
    sendTest: 'Test senden',
    stopped: 'Der Dienst hat diesen Webhook gestoppt',
    time: 'Zeit',
  }
}
