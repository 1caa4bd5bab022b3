import { describe, expect, test } from 'vitest'
import { arrivalOf, deviceOf, pageOf } from '../../src/domain/conversation/arrival.ts'

const GECKO = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'

describe('the page and the device of a visitor', () => {
  test.each([
    [GECKO, 'desktop', 'Windows', 'Firefox'],
    [
      `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Chrome/141.0.0.0 Safari/537.36`,
      'desktop',
      'macOS',
      'Chrome',
    ],
    [
      `Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/141.0.0.0 Safari/537.36 Edg/141.0`,
      'desktop',
      'Linux',
      'Edge',
    ],
    [
      `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/141.0.0.0 Mobile Safari/537.36`,
      'phone',
      'Android',
      'Chrome',
    ],
    [
      `Mozilla/5.0 (Linux; Android 14; SM-X200) ${WEBKIT} SamsungBrowser/28.0 Chrome/130.0 Safari/537.36`,
      'tablet',
      'Android',
      'Samsung Internet',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
      'phone',
      'iOS',
      'Safari',
    ],
    [
      'Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1',
      'tablet',
      'iOS',
      'Chrome',
    ],
    ['Mozilla/5.0 (X11; CrOS x86_64 16181.61.0) Ladybird/1.0', 'desktop', 'ChromeOS', null],
  ])('DK640 %s', (userAgent, kind, system, browser) => {
    expect(deviceOf(userAgent)).toEqual({ kind, system, browser })
  })

  test('DK640 programs that are no browser of a known system have no device', () => {
    for (const agent of ['', 'node', 'curl/8.5.0', 'Mozilla/5.0 (compatible)', 'Linux Windows iPhone'])
      expect(deviceOf(agent)).toBeNull()
    expect(deviceOf(`Mozilla/5.0 (${'x'.repeat(512)} Windows)`)).toBeNull()
  })

  test('DK640 an address is kept without query, fragment and password, a title up to its length', () => {
    const url = 'https://ada:secret@hotel.example/rooms/12?token=secret#me'
    expect(pageOf(url, `  ${'t'.repeat(300)}`)).toEqual({
      url: 'https://hotel.example/rooms/12',
      title: 't'.repeat(200),
    })
    expect(pageOf('http://localhost:3000', '')).toEqual({ url: 'http://localhost:3000/', title: '' })
  })

  test('DK640 what is no address of the web, or too long, is left out', () => {
    for (const url of ['', 'about:srcdoc', 'javascript:alert(1)', 'file:///etc/passwd', 'not an address'])
      expect(pageOf(url, 'Title')).toBeNull()
    const long = `https://hotel.example/${'a'.repeat(2_048)}`
    expect(pageOf(long, '')).toBeNull()
    expect(pageOf(long.slice(0, 2_048), '')?.url).toHaveLength(2_048)
    expect(arrivalOf({ url: 'about:blank' }, 'node')).toBeNull()
    expect(arrivalOf({ url: 'about:blank' }, GECKO)).toMatchObject({
      page: null,
      device: { system: 'Windows' },
    })
  })
})
