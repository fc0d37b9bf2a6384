import type { Address } from '../page/page';

/** What a form of the page has issued, so that the user can copy it. */
export const IssuedSecret = ({ name, address: { issued } }: { name: string; address: Address }) =>
  issued ? (
    <div class="notice" role="status">
      <label for="issued">{name}. It is shown only now; copy it.</label>
      <input id="issued" readOnly value={issued.secret} />
      {issued.username !== undefined && (
        <>
          <label for="issued-username">Username</label>
          <input id="issued-username" readOnly value={issued.username} />
        </>
      )}
    </div>
  ) : null;
