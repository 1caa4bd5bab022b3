import { topicOf } from '../support.ts'

/** What a mobile phone provider knows: an agent of another trade than the demo agent's. */
export const PHONE_TOPICS = [
  topicOf(
    'Data usage',
    'Dial *120# or open the app to see how much of your data is left. We text you at 80 and at 100 percent. Once it is used up, your speed drops to 64 kbit/s until the first of the month; nothing extra is charged.',
    [
      'How much data do I have left?',
      'Where can I see my data usage?',
      'What happens when my data is used up?',
      'Why is my internet suddenly so slow?',
      'Check my remaining gigabytes',
    ],
  ),
  topicOf(
    'Extra data',
    'A data pass of 2 GB costs 5 euros, one of 10 GB costs 15 euros. Book it in the app or by texting PASS to 7711. It works at once and lasts until the end of the month.',
    [
      'Can I buy more data?',
      'How do I book a data pass?',
      'How much is an extra gigabyte?',
      'I need additional data this month',
      'Top up my data',
    ],
  ),
  topicOf(
    'Roaming in Europe',
    'In the European Union, Norway, Iceland and Liechtenstein you call, text and surf as at home, at no extra charge. Of unlimited data, 25 GB a month may be used there. Switzerland and the United Kingdom are not included.',
    [
      'Can I use my phone in Spain?',
      'Is roaming free in the EU?',
      'Do I pay more when I travel in Europe?',
      'How much data can I use in other EU countries?',
      'Will my plan work in Italy?',
    ],
  ),
  topicOf(
    'Roaming worldwide',
    'Outside Europe calls cost 1.49 euros a minute and data 4 euros per 100 MB. A travel pass for 12 euros gives you 1 GB and 30 minutes for seven days in 60 countries, the USA, Switzerland and the United Kingdom among them.',
    [
      'What does roaming cost in the USA?',
      'Can I use my phone outside Europe?',
      'Is there a pass for travelling overseas?',
      'How much are calls from Turkey?',
      'I am flying to Thailand, what will data cost?',
    ],
  ),
  topicOf(
    'Activate SIM',
    'Put the new SIM card in, open the activation page and enter the card number from its back and your date of birth. It takes up to two hours; restart the phone afterwards. The old card stops working then.',
    [
      'How do I activate my SIM card?',
      'My new SIM does not work yet',
      'How long does activation take?',
      'Where is the SIM card number?',
      'I got a new SIM, what now?',
    ],
  ),
  topicOf(
    'eSIM',
    'You can have an eSIM instead of a plastic card, free of charge. Choose it in the app under My SIM and scan the QR code with your phone. Phones from 2019 on usually support it.',
    [
      'Do you offer eSIM?',
      'How do I get an eSIM?',
      'Can I switch from a plastic SIM to an eSIM?',
      'Where is my QR code for the eSIM?',
    ],
  ),
  topicOf(
    'Lost or stolen phone',
    'Block your SIM card at once in the app or by calling +49 800 5551. A new card costs 10 euros and arrives in two working days; your number stays the same. Please report a theft to the police as well.',
    [
      'My phone was stolen',
      'I lost my phone',
      'How do I block my SIM card?',
      'I need a replacement SIM card',
      'Somebody took my mobile',
    ],
  ),
  topicOf(
    'PIN and PUK',
    'After three wrong PINs the card asks for the PUK. You find the PUK in the app under My SIM and on the letter that came with the card. After ten wrong PUKs the card is blocked for good and has to be replaced.',
    [
      'I forgot my PIN',
      'Where do I find my PUK?',
      'I entered the wrong PIN three times',
      'My SIM is locked and asks for a PUK',
      'How can I change my PIN?',
    ],
  ),
  topicOf(
    'Bills',
    'Your bill is ready on the third of each month in the app and comes by e-mail. A paper bill costs 1.50 euros. You can look at the bills of the last 24 months.',
    [
      'Where can I see my bill?',
      'When do I get my invoice?',
      'Can I have a paper bill?',
      'Show me my last invoices',
      'Why is my bill so high this month?',
    ],
  ),
  topicOf(
    'Payment methods',
    'You can pay by direct debit, credit card or PayPal; change it in the app under Payments. The amount is taken on the tenth of the month. When a debit is returned, we charge 4 euros.',
    [
      'How can I pay?',
      'I want to change my bank account',
      'Do you take credit cards?',
      'When is the money taken from my account?',
      'Can I pay with PayPal?',
    ],
  ),
  topicOf(
    'Cancel contract',
    'You can cancel to the end of the minimum term of 24 months, later every month with a month of notice. Cancel in the app under Contract or in writing. We confirm it by e-mail within two days.',
    [
      'How do I cancel my contract?',
      'What is the notice period?',
      'When does my contract end?',
      'I want to leave you',
      'Terminate my plan',
    ],
  ),
  topicOf(
    'Change plan',
    'You can move to a larger plan at any time and to a smaller one once your minimum term is over. The change takes effect on the first of the next month and is free of charge.',
    [
      'Can I switch to another plan?',
      'I want a bigger plan',
      'How do I downgrade my tariff?',
      'When does a plan change take effect?',
      'Upgrade my plan',
    ],
  ),
  topicOf(
    'Keep your number',
    'You can bring your old number with you: give it to us with your order, and release it with your old provider first. The transfer takes three working days and is free. You stay reachable meanwhile.',
    [
      'Can I keep my old number?',
      'How do I transfer my number from another provider?',
      'How long does it take to port a number?',
      'Bring my number to you',
    ],
  ),
  topicOf(
    'Coverage',
    'Our 5G network reaches 92 percent of the population, 4G reaches 99 percent. The map on our site shows every address. Indoors, switch on Wi-Fi calling when the signal is weak.',
    [
      'Do you have 5G here?',
      'How good is the coverage in my village?',
      'I have no signal at home',
      'Why is reception so bad in my house?',
      'Is there a network map?',
    ],
  ),
  topicOf(
    'Voicemail',
    'Dial 3311 to listen to your voicemail, from abroad with your PIN. Switch it off with ##002# and on again with **21*3311#.',
    [
      'How do I listen to my voicemail?',
      'Turn off the mailbox',
      'What is the number of the voicemail?',
      'How do I set up my voicemail greeting?',
    ],
  ),
  topicOf(
    'Third-party charges',
    'Subscriptions of other companies can stand on your bill. Block all of them free of charge in the app under Security. For money back please write to the company that is named on the bill.',
    [
      'What is this subscription on my bill?',
      'How do I block third-party services?',
      'I never ordered this subscription',
      'Stop premium text messages',
    ],
  ),
  topicOf(
    'Shops',
    'Our shops are open Monday to Saturday from 10 am to 7 pm. Find the nearest one with the shop finder on our site. Bring your identity card for changes to your contract.',
    [
      'Where is the nearest shop?',
      'What are your opening hours?',
      'Are you open on Saturdays?',
      'Do you have a store in Berlin?',
    ],
  ),
  topicOf(
    'Repair',
    'Send your phone in free of charge with a label from the app, or bring it to a shop. A repair takes five to ten working days; you can borrow a phone for it at 2 euros a day. Broken screens are not covered by the guarantee.',
    [
      'My screen is broken',
      'How do I get my phone repaired?',
      'Is my phone still under guarantee?',
      'Can I get a phone on loan during the repair?',
    ],
  ),
  topicOf(
    'Speak to an adviser',
    'I am putting you through to an adviser.',
    [
      'I want to speak to an adviser',
      'Can I talk to a person?',
      'Connect me with customer service',
      'I have a complaint',
    ],
    { actions: '{{ho:advisers}}' },
  ),
]
