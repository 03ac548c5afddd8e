/** Errors in German. */
import type { Messages } from '../english/english.ts'
import type { Format } from '../format.ts'

export function problemMessages({ inSeconds, number, plural }: Format): Messages['problem'] {
  const retryHint = (seconds: number | undefined) =>
    seconds === undefined || seconds < 1 ? 'gleich' : inSeconds(Math.ceil(seconds))
  return {
    responded: (status, statusText) => `Der Dienst antwortet mit ${status} ${statusText}`.trim(),
    badBaseUrl: (origin) =>
      `Die Basis-URL auf ${origin} ist ungültig. Verwenden Sie http oder https ohne Benutzernamen.`,
    badEndpoint: (name, value) => `${name} ist ${value}, das ist keine https://-URL`,
    badRecord: 'Die Antwort ist kein Datensatz.',
    badPage: 'Die Antwort ist weder eine Seite noch ein Array.',
    badProvider: (url, reason) => `${url} ist kein gültiger OpenID-Connect-Anbieter: ${reason}.`,
    badProviderUrl: (ending) => `die URL endet nicht mit ${ending}`,
    badSettings: (status) => `settings.json dieser Seite ist kein JSON-Objekt (HTTP-Status ${status}).`,
    conflict: 'Das widerspricht gespeicherten Daten. Prüfen Sie die aktuellen Werte und versuchen Sie es erneut.',
    documentMissing: (url, status) => `${url} antwortet mit ${status}: Dort ist kein OpenAPI-Dokument.`,
    documentNotOpenApi: (url) => `${url} ist kein OpenAPI-Dokument in JSON: Es hat keine paths.`,
    documentUnreachable: (url, reason) => `${url} antwortet nicht: ${reason}.`,
    fieldsToCheck: (count) => `${number(count)} ${plural(count, { one: 'Feld', other: 'Felder' })} bitte prüfen`,
    providerOrigins:
      'Anmeldeseite und Token-Endpunkt liegen auf verschiedenen Hosts. Setzen Sie documents oder baseUrl in settings.json, oder fügen Sie ein Token ein',
    notSendableDetail: (url, reason) => `Die Anfrage an ${url} kann nicht gesendet werden: ${reason}.`,
    notSendableHint: 'Prüfen Sie Token und Header auf Zeichen wie „…“.',
    notListed: 'Datensatz nicht gefunden',
    notListedDetail: (name) => `Der Dienst hat ${name} nur in Listen, und die erste Seite enthält ihn nicht.`,
    notRead: (name) => `Der Dienst hat keine Operation, die ${name} liest.`,
    notSent: 'Nicht gesendet',
    notSentDetail: (url, base) => `${url} liegt nicht unterhalb von ${base}.`,
    notSentHint: 'Korrigieren Sie die Server-URL oder den Pfad im OpenAPI-Dokument.',
    providerRedirect: 'er antwortet mit einer Weiterleitung',
    providerStatus: (status) => `er antwortet mit HTTP-Status ${status}`,
    redirect: 'Weiterleitung',
    redirectDetail: (url) =>
      `${url} antwortet mit einer Weiterleitung, und das Token wird nicht an eine andere URL gesendet.`,
    redirectHint: 'Verwenden Sie das Ziel der Weiterleitung als Basis-URL des Dienstes.',
    reload: 'Laden Sie den Datensatz neu und versuchen Sie es erneut.',
    request: (id) => `Anfrage ${id}`,
    ruleBroken:
      'Eine Regel des Dienstes lässt das nicht zu. Ändern Sie die in der Meldung genannten Werte und versuchen Sie es erneut.',
    serverError: 'Das ist ein Fehler des Dienstes. Senden Sie die Anfrage-ID an den Betreiber des Dienstes.',
    signIn: 'Melden Sie sich an und versuchen Sie es erneut.',
    signInFailed: (issuer, reason) =>
      `Die Anmeldung bei ${issuer} ist fehlgeschlagen: ${reason}. Melden Sie sich erneut an.`,
    somethingWrong: 'Etwas ist schiefgegangen',
    staleRecord:
      'Jemand anderes hat diesen Datensatz geändert. Prüfen Sie die aktuellen Werte und speichern Sie erneut.',
    status: (status) => `Status ${status}`,
    tooExpensive:
      'Die Anfrage hat zu lange gedauert. Setzen Sie einen Filter oder entfernen Sie die Suche, und versuchen Sie es erneut.',
    tooManyRequests: (seconds) =>
      `Zu viele Anfragen. Ihre Eingaben sind noch da: Versuchen Sie es ${retryHint(seconds)} erneut.`,
    unavailable: (seconds) =>
      `Der Dienst ist gerade nicht verfügbar. Ihre Eingaben sind noch da: Versuchen Sie es ${retryHint(seconds)} erneut.`,
    unreachable: 'Der Dienst ist nicht erreichbar',
    unreachableDetail: (base, reason) => `${base} antwortet nicht: ${reason}.`,
    unreachableHint: 'Läuft der Dienst, und erlaubt er diesen Ursprung (CORS)?',
    valueTaken: 'Wählen Sie einen anderen Wert, oder suchen Sie den Datensatz, der ihn hat.',
  }
}
