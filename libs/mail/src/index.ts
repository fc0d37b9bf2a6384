export { type Mail, Mailer, type MailSettings, mailSettings } from './mailer';
