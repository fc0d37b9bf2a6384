/** Signs URLs of the services under test. */
export const ticketKey = 'a ticket key of the tests, long enough';
