/** The frame of the page in German. */
import type { Messages } from '../english/english.ts'
import type { Format } from '../format.ts'

export function shellMessages({ number }: Format): Messages['shell'] {
  return {
    breadcrumbs: 'Brotkrümelnavigation',
    closeMessage: 'Meldung schließen',
    connect: 'Verbinden',
    connectAddress: 'URL des Dienstes oder seines OpenAPI-Dokuments',
    connectAddressExample: 'https://example.com oder https://example.com/openapi.json',
    connectNote:
      'Die Konsole funktioniert mit jedem Dienst, der die Konventionen einhält. Listen, Formulare und Verknüpfungen stammen aus seinem OpenAPI-Dokument.',
    connectTitle: 'Mit einem Dienst verbinden',
    dark: 'Dunkel',
    docs: 'Dokumentation',
    goTo: (title) => `Zu ${title}`,
    languageIs: (name) => `Sprache: ${name}`,
    leave: 'Verlassen',
    leaveNote: 'Ihre Änderungen sind nicht gespeichert und gehen verloren.',
    leaveTitle: 'Ohne Speichern verlassen?',
    light: 'Hell',
    messages: 'Meldungen',
    navigation: 'Navigation',
    newRecord: 'Neu',
    noLists: 'Die OpenAPI-Dokumente dieses Dienstes beschreiben keine Listen.',
    notFound: (path) => `Unter ${path} gibt es keine Seite.`,
    notFoundTitle: 'Seite nicht gefunden',
    or: 'oder',
    requests: (count) => `Anfragen: ${number(count)}`,
    requestsTooltip: 'Anfragen dieser Seite (Strg .)',
    nouns: 'Ressourcen',
    service: 'Dienst',
    signedIn: 'Angemeldet',
    signIn: 'Anmelden',
    signInAtProvider: 'Mit SSO anmelden',
    signInNote: (provider, bases) => `Sie melden sich bei ${provider} an. Das Token wird nur an ${bases} gesendet.`,
    signOut: 'Abmelden',
    skip: 'Zum Inhalt springen',
    stay: 'Bleiben',
    token: 'Bearer-Token',
    tokenNote: (bases) => `Wird aufbewahrt, bis Sie diesen Tab schließen. Wird nur an ${bases} gesendet.`,
    tokenRefused: 'Der Dienst hat das Token abgelehnt. Es ist abgelaufen oder gilt für einen anderen Dienst.',
    useDark: 'Dunkle Farben verwenden',
    useLight: 'Helle Farben verwenden',
    useToken: 'Dieses Token verwenden',
  }
}
