import { getSystemHookEvent, resendSystemHookEvent } from '@moothall/contracts';
import type { SitePage } from '../../page/page';
import { inAdmin } from '../../parts/in-admin';
import { Delivered, deliveredAt } from './accepted';
import { DeliveryDetails } from './delivery-details';
import { systemDeliveryAt, systemDeliveryPath, systemHookPath } from './system-hook-address';

/** A delivery of a system hook, with its request and the response. */
export const systemHookDeliveryPage: SitePage = {
  at: '/admin/hooks/:hook_id/hook_logs/:event_id',
  show: (visit, address) =>
    inAdmin(visit, address, async () => {
      const asked = systemDeliveryAt(address);
      const event = await visit.ask(getSystemHookEvent, asked);
      return {
        title: `Delivery ${event.id}`,
        body: (
          <>
            <Delivered address={address} />
            <DeliveryDetails
              {...{ visit, address, event }}
              hook={{ name: 'System hook', path: systemHookPath(asked.id) }}
            />
          </>
        ),
      };
    }),
  forms: {
    resend: async (visit, address) => {
      const asked = systemDeliveryAt(address);
      await visit.ask(resendSystemHookEvent, asked);
      return deliveredAt(systemDeliveryPath(asked.id, asked.hook_event_id));
    },
  },
};
