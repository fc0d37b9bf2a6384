import type { GroupRef, ProjectRef } from '@moothall/contracts';
import type { ParentPage, RouteAddress } from '../../page/page';
import { numberIn } from '../../parts/number-in';
import { Accepted, acceptedAt } from './accepted';
import { DeliveryDetails } from './delivery-details';
import { deliveryPath, hookAt, hookPath } from './hook-address';
import { type HooksOf, ofGroup, ofProject } from './hook-operations';

/** A delivery of a webhook, with its request and the response. */
const hookDeliveryPageOf = <T extends { id: number }>(of: HooksOf<T>): ParentPage<T> => ({
  at: '/hooks/:hook_id/hook_logs/:event_id',
  async show(visit, parent, address) {
    const event = await visit.ask(of.operations.getEvent, deliveryAt(parent, address));
    return of.within(visit, parent, {
      title: `Delivery ${event.id}`,
      body: (
        <>
          <Accepted address={address} />
          <DeliveryDetails
            {...{ visit, address, event }}
            hook={{ name: 'Webhook', path: hookPath(of, parent, address) }}
          />
        </>
      ),
    });
  },
  forms: {
    resend: async (visit, parent, address) => {
      const asked = deliveryAt(parent, address);
      await visit.ask(of.operations.resend, asked);
      return acceptedAt(deliveryPath(of, parent, asked.hook_id, asked.hook_event_id));
    },
  },
});

export const hookDeliveryPage = hookDeliveryPageOf<ProjectRef>(ofProject);
export const groupHookDeliveryPage = hookDeliveryPageOf<GroupRef>(ofGroup);

const deliveryAt = (parent: { id: number }, address: RouteAddress) => ({
  ...hookAt(parent, address),
  hook_event_id: numberIn(address, 'event_id'),
});
