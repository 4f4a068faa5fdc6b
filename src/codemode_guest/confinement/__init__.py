"""What the kernel is told to refuse a guest, applied before a byte of the program is read.

Owns the layers, each in a module, and the order in which they are applied: what can be given up
once in `template_side`, the rest in `guest_side`. Does not own the policy, which is about source
text, nor what is wanted, which the host's configuration says. Below it is the kernel alone.
"""

from codemode_guest.confinement.guest_side import GuestConfinement
from codemode_guest.confinement.layers import LAYERS, Attempts, Layer
from codemode_guest.confinement.template_side import confine_template

__all__ = ["LAYERS", "Attempts", "GuestConfinement", "Layer", "confine_template"]
