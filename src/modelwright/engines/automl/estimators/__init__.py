"""The families of models, and how fitted ones become one that is served."""
