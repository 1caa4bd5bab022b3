import { expect, test } from 'vitest'
import { createPatternRedactor } from '../../src/index.ts'

/** Sentences of visitors, with a place for a number. */
const SENTENCES = [
  ['en', ['Please charge %s for the two nights.', 'my number: %s, is that ok?', '%s']],
  ['de', ['Bitte belasten Sie %s für die zwei Nächte.', 'Meine Nummer lautet %s.', 'Nr. %s – stimmt das?']],
  ['fr', ['Veuillez débiter %s pour deux nuits.', 'Mon numéro est le %s, merci.', '« %s »']],
  ['es', ['Cargue %s por las dos noches, por favor.', '¿Es correcto %s?', 'Mi número es: %s']],
  ['ja', ['番号は%sです。', '二泊分を %s に請求してください。', '「%s」でお願いします']],
  ['zh', ['请从%s扣两晚的房费。', '我的号码是：%s，谢谢', '（%s）']],
  ['ko', ['번호는 %s입니다.', '2박 요금을 %s 에 청구해 주세요.', '%s 맞나요?']],
  ['th', ['กรุณาหักเงินจาก %s สำหรับสองคืน', 'หมายเลขของฉันคือ %s ค่ะ', '(%s)']],
  ['ar', ['يرجى خصم المبلغ من %s لليلتين.', 'رقمي هو %s، شكرا', '«%s»']],
  ['hi', ['कृपया दो रातों के लिए %s से भुगतान लें।', 'मेरा नंबर %s है।', '%s, ठीक है?']],
] as const

const fours = (number: string): string => number.replace(/(.{4})(?=.)/g, '$1 ')

/** Numbers that issuers, banks and authorities publish as examples. */
const CARDS = [
  ...['4111111111111111', '4012888888881881', '4222222222222', '5555555555554444', '2223003122003222'],
  ...['6011111111111117', '3530111333300000', '6759649826438453', '6200000000000005', '378282246310005'],
  ...['30569309025904', '4000 0566 5566 5556', '5105-1051-0510-5100', '4242\u00a04242\u00a04242\u00a04242'],
  ...['3714 496353 98431', '3852 000002 3237', '4917.6100.0000.0000'],
]

const IBANS = [
  ...['AD1200012030200359100100', 'AT611904300234573201', 'BE68539007547034', 'BG80BNBG96611020345678'],
  ...[
    'CH9300762011623852957',
    'CY17002001280000001200527600',
    'CZ6508000000192000145399',
    'DK5000400440116243',
  ],
  ...['DE89370400440532013000', 'EE382200221020145685', 'ES9121000418450200051332', 'FI2112345600000785'],
  ...['FR1420041010050500013M02606', 'GB29NWBK60161331926819', 'GR1601101250000000012300695'],
  ...['HU42117730161111101800000000', 'IE29AIBK93115212345678', 'IT60X0542811101000000123456'],
  ...['LU280019400644750000', 'NL91ABNA0417164300', 'NO9386011117947', 'PL61109010140000071219812874'],
  ...['PT50000201231234567890154', 'SA0380000000608010167519', 'SE4550000000058398257466'],
]

const NATIONAL = [
  ...['86095742719', '86 095 742 719', '255081416802538', '2 55 08 14 168 025 38', '111222333', '123456782'],
  ...['44051401359', '02070803628', '12345678Z', '12345678-Z', 'X1234567L', 'Y1234567X', 'x-1234567-l'],
]

const ADDRESSES = [
  ...['anna.meyer+hotel@mail.example.org', 'o-k_2@a.example', 'müller@bücher.example', 'ANNA@EXAMPLE.COM'],
  ...['+49 (30) 123 45 67-8', '0044 20 7946 0018', '030/1234567', '(020) 7946 0018', '+81-3-1234-5678'],
]

/** What has digits and is not private. */
const HARMLESS = [
  ...['129.50 €', '2 x 129,50', '1.299,00', '10:30', '2026-11-29', '29.11.2026', '11/29/2026', '29/11/2026'],
  ...['order 2026113000017', '4111111111111112', 'DE89370400440532013001', 'room 1204', '20 %', 'v2.14.3'],
  ...['52.5200, 13.4050', 'ISBN 9783161484100', '1024 x 768', '3 + 4 = 7', 'A380', '24/7', '2026/27', 'IPv4'],
]

const redactor = createPatternRedactor()

function redacted(text: string): string {
  const found = redactor.redact(text, { conversationId: 'CONV-1', language: null }, AbortSignal.timeout(1e6))
  if (found instanceof Promise) throw new Error('Patterns answer at once.')
  return found.text
}

/** Returns the texts of which more or less than the number was taken out, and the number of all. */
function wrong(numbers: readonly string[], isPrivate: boolean) {
  const tried = SENTENCES.flatMap(([, sentences]) =>
    sentences.flatMap(sentence => numbers.map(number => [sentence, number] as const)),
  )
  const missed = tried.filter(([sentence, number]) => {
    const [before = '', after = ''] = sentence.split('%s')
    const text = redacted(before + number + after)
    const kept = text.slice(before.length, text.length - after.length)
    const isAround = text.startsWith(before) && text.endsWith(after)
    return !isAround || (isPrivate ? !/^\[[a-z_]+\]$/.test(kept) : kept !== number)
  })
  return { tried: tried.length, missed: missed.map(([sentence, number]) => sentence.replace('%s', number)) }
}

test.each([
  ['cards', [...CARDS, ...CARDS.map(fours)], true, 1_020],
  ['IBANs', [...IBANS, ...IBANS.map(fours), ...IBANS.map(iban => iban.toLowerCase())], true, 2_250],
  ['national numbers', NATIONAL, true, 390],
  ['addresses and phone numbers', ADDRESSES, true, 270],
  ['prices, dates and orders: nothing', HARMLESS, false, 660],
] as const)('RD4 in sentences of ten languages, of %s', (_, numbers, isPrivate, tried) => {
  expect(wrong(numbers, isPrivate)).toEqual({ tried, missed: [] })
})
