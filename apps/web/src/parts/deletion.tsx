import { Confirmation } from '@moothall/pages';
import type { Address } from '../page/page';
import type { Visit } from '../visit/visits';
import { Form } from './form';

interface Props {
  visit: Visit;
  address: Address;
  word: string;
  consequence: string;
}

/** The form `delete` of a page, which asks for a confirmation. */
export const Deletion = ({ visit, address, word, consequence }: Props) => (
  <Confirmation word={`${word}…`} consequence={consequence}>
    <Form visit={visit} address={address} name="delete">
      <button type="submit" class="grave">
        {word}
      </button>
    </Form>
  </Confirmation>
);
