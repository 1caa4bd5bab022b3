/** A topic of the demo agent, in the shape in which the Agents API takes it. */
export interface DemoTopic {
  readonly name: string
  readonly content: string
  readonly actions: string
  readonly exampleQueries: { readonly queries: readonly string[] }
  readonly isActive: boolean
}

const topic = (name: string, content: string, queries: readonly string[], actions = ''): DemoTopic => ({
  name,
  content,
  actions,
  exampleQueries: { queries },
  isActive: true,
})

/** What the hotel's front desk knows. */
export const DEMO_TOPICS: readonly DemoTopic[] = [
  topic(
    'Check-in',
    'Check-in starts at 3 pm. If you arrive earlier, leave your luggage with us free of charge and use the lobby and the garden. Reception is staffed day and night, so late arrivals are no problem. Please bring a passport or identity card and the card you booked with.',
    [
      'What time is check-in?',
      'When can I check in?',
      'When will my room be ready?',
      'When can we get into our room?',
      'Can I arrive early?',
      'I will arrive after midnight, is that all right?',
      'What do I need to bring to check in?',
      'Can I leave my luggage before check-in?',
    ],
  ),
  topic(
    'Check-out',
    'Check-out is until 11 am. Leave the key card in the box at reception; the invoice comes by e-mail the same day. We keep your luggage free of charge until 8 pm.',
    [
      'What time is check-out?',
      'When do I have to leave the room?',
      'How do I check out?',
      'Where do I leave the key?',
      'Can you keep my bags after check-out?',
      'How do I get my invoice?',
    ],
  ),
  topic(
    'Late check-out',
    'You can keep your room until 2 pm for 25 euros, or until 6 pm for half the price of a night, if the room is not booked for the same day. Ask reception by 9 pm the evening before. Members of the guest club stay until 1 pm free of charge.',
    [
      'Can I get a late check-out?',
      'Can I stay in the room longer?',
      'Can we leave the room in the afternoon?',
      'How much does it cost to check out later?',
      'Our flight is in the evening, can we keep the room?',
      'Extend my stay by a few hours',
    ],
  ),
  topic(
    'Breakfast',
    'Breakfast is served in the garden room from 6:30 to 10:30 on weekdays and from 7:30 to 11:30 on Saturdays, Sundays and public holidays. It costs 18 euros, 9 euros for children from 4 to 11, and nothing for younger ones. There are vegan, gluten-free and lactose-free dishes; for early departures we pack a breakfast if you tell us the evening before.',
    [
      'When is breakfast?',
      'What time is breakfast served?',
      'Is breakfast included?',
      'How much is breakfast?',
      'Do you have vegan breakfast?',
      'Where is the breakfast room?',
      'Can I get breakfast to take away?',
      'Gluten-free options in the morning?',
    ],
  ),
  topic(
    'Parking',
    'The garage below the hotel has 60 spaces at 16 euros a night; cars up to 2.05 metres high fit in. Six spaces have chargers for electric cars at 0.45 euros a kilowatt-hour. Spaces cannot be booked; when the garage is full, the public car park on Mill Street is three minutes away on foot.',
    [
      'Where can I park my car?',
      'Is there somewhere to leave the car?',
      'Do you have parking?',
      'How much does parking cost?',
      'Is there a garage?',
      'Can I charge my electric car?',
      'Can I reserve a parking space?',
      'Is my van too high for the garage?',
    ],
  ),
  topic(
    'Wi-Fi',
    'Wi-Fi is free everywhere in the hotel. Choose the network “Hotel Guest”, then enter your room number and family name. If the connection is slow or drops, dial 9 from your room and reception will help.',
    [
      'What is the wifi password?',
      'How do I connect to the internet?',
      'Is the Wi-Fi free?',
      'The internet is not working in my room',
      'Which network should I use?',
      'Do you have wireless internet?',
    ],
  ),
  topic(
    'Pets',
    'Dogs and cats are welcome for 15 euros a night each, at most two a room. A bowl and a blanket are waiting in the room. Pets may come along to the lobby and the terrace, but not to the restaurant, the breakfast room and the spa; assistance dogs may go everywhere and stay free of charge.',
    [
      'Can I bring my dog?',
      'Are pets allowed?',
      'Do you allow cats?',
      'We are travelling with a puppy',
      'How much is it for a dog?',
      'Is the hotel pet friendly?',
      'Can my dog come into the restaurant?',
    ],
  ),
  topic(
    'Pool and spa',
    'The indoor pool is open daily from 7 am to 9 pm, the sauna and steam bath from 2 pm to 9 pm. Both are free for guests; towels and bathrobes are in the room. Children under 14 swim with an adult. Massages are from 55 euros for 30 minutes; dial 7 to book one.',
    [
      'Do you have a swimming pool?',
      'When is the pool open?',
      'Is there a sauna?',
      'How do I book a massage?',
      'Are towels provided for the pool?',
      'Can children use the pool?',
      'Is the spa free?',
    ],
  ),
  topic(
    'Cancellation and changes',
    'Flexible bookings can be cancelled or changed free of charge until 6 pm on the day before arrival; after that the first night is charged. Non-refundable bookings are paid in full, but the date can be moved once for 20 euros. Use the link in your confirmation e-mail; what you booked through another site is changed there.',
    [
      'How do I cancel my booking?',
      'Can I cancel for free?',
      'I need to change the date of my reservation',
      'What is your cancellation policy?',
      'Will I get a refund if I cancel?',
      'I want my money back',
      'I have to move my stay to another week',
    ],
  ),
  topic(
    'Airport transfer',
    'Our shuttle goes to the airport every hour from 5 am to 10 pm, takes 35 minutes and costs 12 euros a person; children under 6 ride free. Book it at reception by 8 pm the evening before. A taxi is about 48 euros. The airport train leaves from Central Station, ten minutes on foot from the hotel, every 20 minutes.',
    [
      'How do I get to the airport?',
      'Do you have an airport shuttle?',
      'Can you pick me up from the airport?',
      'How much is a taxi to the airport?',
      'Is there a train to the airport?',
      'Book a transfer for tomorrow morning',
    ],
  ),
  topic(
    'Room service',
    'Room service brings warm dishes from noon to 10:30 pm and sandwiches, salads and drinks around the clock. The menu is on the television and in the folder on the desk; dial 5 to order. There is a tray charge of 4 euros.',
    [
      'Can I order food to my room?',
      'Do you have room service?',
      'I am hungry, can you bring something up?',
      'Bring a sandwich to my room, please',
      'How do I order a drink to the room?',
      'Where do I find the room service menu?',
      'Is the kitchen open late at night?',
    ],
  ),
  topic(
    'Accessibility',
    'The entrance, the restaurant, the spa and all floors are reached without steps, by ramp or lift. Four rooms have doors 90 centimetres wide, a walk-in shower with a seat and grab rails, and an alarm cord. Please ask for one when you book. Reception lends a wheelchair, a shower stool and a portable hearing loop free of charge.',
    [
      'Is the hotel wheelchair accessible?',
      'Do you have rooms for disabled guests?',
      'Is there a lift?',
      'Do you have a walk-in shower?',
      'Is there step-free access?',
      'My mother uses a wheelchair',
    ],
  ),
  topic(
    'Restaurant and bar',
    'The restaurant serves dinner from 6 pm to 10 pm, Tuesday to Sunday; on Mondays the bar has a small menu. The bar is open daily from 4 pm to 1 am. A table is best booked by noon at reception or by dialling 6.',
    [
      'Do you have a restaurant?',
      'When is dinner served?',
      'Can I book a table for tonight?',
      'Is there a bar?',
      'Until when is the bar open?',
      'Where can we eat in the evening?',
    ],
  ),
  topic(
    'Children and extra beds',
    'Children under 6 sleep free in their parents’ bed. A cot is free of charge; an extra bed is 30 euros a night and fits in rooms from the category Comfort. High chairs, bottle warmers and a box of toys are at reception. Babysitters can be booked a day ahead for 18 euros an hour.',
    [
      'Do you have a cot for our baby?',
      'Can I get an extra bed?',
      'Do children stay for free?',
      'Is there a babysitter?',
      'Can a third person sleep in our room?',
      'Are families with kids welcome?',
    ],
  ),
  topic(
    'Smoking',
    'The whole house is smoke-free, balconies and e-cigarettes included; cleaning after smoking in a room costs 150 euros. There is a covered smoking area beside the terrace.',
    [
      'Can I smoke in my room?',
      'Do you have rooms for smokers?',
      'Where can I smoke?',
      'Is vaping allowed on the balcony?',
    ],
  ),
  topic(
    'Lost property',
    'What is found in rooms and halls is kept at reception for three months. Tell us what you miss, where you last had it and your room number; we send it to you for the price of the postage.',
    [
      'I lost my phone in the hotel',
      'I left something in my room',
      'Did anybody find my jacket?',
      'Do you have a lost and found?',
      'I forgot my charger in the room',
    ],
  ),
  topic(
    'Pay the deposit',
    'The deposit is the price of the first night. It is paid by card on our payment page and is taken off your bill.',
    [
      'I want to pay the deposit',
      'How do I pay my deposit?',
      'Can I pay the deposit now?',
      'Send me the payment link for the deposit',
      'Where do I make the down payment?',
    ],
    'Start the payment with {{fn:take_deposit}} and wait for its result before you confirm anything.',
  ),
  topic(
    'Speak to a person',
    'Of course. I am connecting you with reception; somebody will be with you in a moment.',
    [
      'I want to speak to a person',
      'Can I talk to a human?',
      'Connect me with reception',
      'Let me talk to someone',
      'I need a real person',
      'Can I speak to a member of staff?',
      'I want to make a complaint',
    ],
    'Hand over at once, without asking why: {{ho:reception}}',
  ),
]
