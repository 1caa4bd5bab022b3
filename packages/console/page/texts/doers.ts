import { texts } from './language.ts'

/** Those who did something, after "by". */
export const say = texts({
  who: ['By', 'Von'],
  key: ['API key {name}', 'API-Schlüssel {name}'],
  rule: ['alert rule {name}', 'der Alarmregel {name}'],
  library: ['the host’s program', 'dem Programm des Hosts'],
  platform: ['the platform', 'der Plattform'],
})
