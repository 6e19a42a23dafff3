import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useWords } from '../viewer/preferences.tsx';

interface ConfirmDialogProps {
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly title: string;
  readonly text: string;
  /** The text of the button that confirms. */
  readonly action: string;
  readonly onConfirm: () => void;
}

/** A question before an action. */
export function ConfirmDialog({ isOpen, onOpenChange, title, text, action, onConfirm }: ConfirmDialogProps) {
  const { actions } = useWords();
  return (
    <ModalOverlay className="modal-overlay" isDismissable isOpen={isOpen} onOpenChange={onOpenChange}>
      <Modal className="modal">
        <Dialog role="alertdialog">
          {({ close }) => (
            <>
              <Heading slot="title">{title}</Heading>
              <p>{text}</p>
              <div className="dialog-actions">
                <Button className="button" onPress={close} autoFocus>
                  {actions.cancel}
                </Button>
                <Button
                  className="button primary"
                  onPress={() => {
                    onConfirm();
                    close();
                  }}
                >
                  {action}
                </Button>
              </div>
            </>
          )}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
